/** The user gives a device access to the RPCs, and has not signed in recently. */
export const OLD_SIGN_IN = "old_sign_in";

/** The sign-in of the session is too weak for the request. */
export const WEAK_SIGN_IN = "acr";

/** Reasons to prompt the user of the session to sign in again. Another user cannot do it instead. */
export const REAUTHENTICATIONS: ReadonlySet<string> = new Set(["login_prompt", "max_age", OLD_SIGN_IN, WEAK_SIGN_IN]);
