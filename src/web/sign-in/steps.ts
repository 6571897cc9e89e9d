import type { Interaction } from "./interactions.ts";

/** The path of the pages of a sign-in, before its id. */
export const SIGN_IN_PREFIX = "/ui/sign-in/";

/** The paths of the pages, after the id of the sign-in. */
export const STEPS = {
  signIn: "",
  /** Chooses the organization by what the person enters. */
  identify: "/identify",
  passkey: "/passkey",
  newPassword: "/new-password",
  address: "/address",
  oneTimeCode: "/one-time-code",
  secondFactor: "/second-factor",
  /** Asks for a code that was sent to the address, if a sign-in at a provider may be too old. */
  recentProof: "/confirm",
  passkeyOffer: "/add-passkey",
  forgotten: "/forgotten",
  /** Asks for the address of a new user, and completes the registration with the link of the email. */
  register: "/register",
  /** Redirects to a provider, and handles its response. */
  idp: "/idp",
  /** Asks an external user who is not linked to register, or to sign in to an existing account. */
  external: "/external",
  /** Asks to confirm the link to an external user. */
  link: "/link",
} as const;

/** The path of a page, with the application, which is needed for the page of an expired sign-in. */
export function stepPath(
  { id, app }: { readonly id: string; readonly app: Pick<Interaction["app"], "id"> },
  step: keyof typeof STEPS,
): string {
  return `${SIGN_IN_PREFIX}${id}${STEPS[step]}?app=${encodeURIComponent(app.id)}`;
}
