/** The email with a code for a user whose sign-in at a provider may be too old. */
export const SIGN_IN_CODE = "sign-in-code";

/** How long the code is valid after it was requested, and how late the email is sent. */
export const SIGN_IN_CODE_SECONDS = 15 * 60;

/** The content of the email. */
export interface SignInCodeContent {
  readonly digits: string;
}
