import type { Logger } from "pino";
import type { RunTogether } from "../../database/run-together.ts";
import type { AttemptLimit } from "../../sign-in/attempt-limit.ts";
import type { IdpClients } from "../../sign-in/idp-clients.ts";
import type { KnownDevices } from "../../sign-in/known-devices.ts";
import type { PasskeyChallenges } from "../../sign-in/passkey-challenges.ts";
import type { Proofs } from "../../sign-in/proof.ts";
import type { FormTokens } from "../frame/form-token.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import type { RoutesContext } from "../links/routes-context.ts";
import type { SignInRequest, SignInRequests } from "./sign-in-requests.ts";

/** The dependencies of the pages of a sign-in. */
export interface SignInContext extends RoutesContext {
  readonly signInRequests: SignInRequests;
  readonly runTogether: RunTogether;
  readonly attemptLimit: AttemptLimit;
  readonly knownDevices: KnownDevices;
  readonly passkeyChallenges: PasskeyChallenges;
  readonly proofs: Proofs;
  readonly formTokens: FormTokens;
  readonly idpClients: IdpClients;
  readonly log: Logger;
}

/** The handlers of one page of a sign-in in progress. */
export interface SignInStep {
  /** Absent for steps without a page, for which the first page is shown. */
  readonly get?: (visit: Visit, request: SignInRequest) => PageResponse | Promise<PageResponse>;
  /** Called only if the form has a valid token. */
  readonly postForm: (visit: Visit, request: SignInRequest, form: URLSearchParams) => Promise<PageResponse>;
}

/** The path of the pages of a sign-in, before its id. */
export const SIGN_IN_PREFIX = "/ui/sign-in/";

/** The paths of the pages, after the id of the sign-in. */
export const STEPS = {
  signIn: "",
  passkey: "/passkey",
  newPassword: "/new-password",
  address: "/address",
  oneTimeCode: "/one-time-code",
  passkeyOffer: "/add-passkey",
  forgotten: "/forgotten",
  /** Redirects to a provider, and handles its response. */
  idp: "/idp",
  /** Asks an external user who is not linked to register, or to sign in to an existing account. */
  external: "/external",
  /** Asks to confirm the link to an external user. */
  link: "/link",
} as const;

/** The path of a page, with the application, which is needed for the page of an expired sign-in. */
export function stepPath(
  { id, app }: { readonly id: string; readonly app: Pick<SignInRequest["app"], "id"> },
  step: keyof typeof STEPS,
): string {
  return `${SIGN_IN_PREFIX}${id}${STEPS[step]}?app=${encodeURIComponent(app.id)}`;
}
