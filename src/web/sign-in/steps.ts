import type { Interaction } from "./interactions.ts";

/** The path of the pages of a sign-in, before its id. */
export const SIGN_IN_PREFIX = "/ui/sign-in/";

/** The path of the link that completes a registration. It names the application for the page of an expired link. */
export const REGISTRATION_PATH = "/ui/register";

/** The paths of the steps, after the id of the sign-in. `flow.ts` lists what they do. */
export const STEPS = {
  signIn: "",
  identify: "/identify",
  passkey: "/passkey",
  /** Redirects to a provider, and handles its response. */
  idp: "/idp",
  external: "/external",
  register: "/register",
  forgotten: "/forgotten",
  "verify-address": "/address",
  "one-time-code": "/one-time-code",
  "second-factor": "/second-factor",
  "recent-proof": "/confirm",
  "change-password": "/new-password",
  "passkey-offer": "/add-passkey",
  link: "/link",
} as const;

export type StepName = keyof typeof STEPS;

/** The path of a page, with the application, which is needed for the page of an expired sign-in. */
export function stepPath(
  { id, app }: { readonly id: string; readonly app: Pick<Interaction["app"], "id"> },
  step: StepName,
): string {
  return `${SIGN_IN_PREFIX}${id}${STEPS[step]}?app=${encodeURIComponent(app.id)}`;
}

/** The values of the `do` buttons on the first page that decline the sign-in, or open another step. */
export const CANCEL = "cancel";
export const OPEN_FORGOTTEN = "forgotten";
export const OPEN_REGISTRATION = "open";
/** Asks for another identifier, which may choose another organization. */
export const OTHER_IDENTIFIER = "other";
