import { createHash } from "node:crypto";
import { ProviderResponseError } from "../../../idps/discover-provider.ts";
import type { SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import { logFailure } from "../../../log-failure.ts";
import { authorizationUrl, type ProviderHints, redeemCode, wordOf } from "../../../sign-in/provider/external-user.ts";
import {
  ATTEMPT_SECONDS,
  beginIdpAttempt,
  createRelayState,
  signInTag,
  type UsedAttempt,
  useIdpAttempt,
} from "../../../sign-in/provider/idp-attempts.ts";
import { openClientSecret } from "../../../sign-in/provider/idp-clients.ts";
import { callbackUrl } from "../../../sign-in/provider/idp-urls.ts";
import type { Claims } from "../../../sign-in/provider/kinds/kind.ts";
import { writeSamlRequest } from "../../../sign-in/provider/saml-sign-in.ts";
import { createCookie, type HostCookie } from "../../frame/cookies.ts";
import type { PageResponse, Visit } from "../../frame/page.ts";
import { redirect } from "../../frame/responses.ts";
import type { SignInParts } from "../sign-in-parts.ts";
import { IDP_NAMES, IDP_STATES, type IdpState, RESPONSE_PARAMETERS } from "./idp-callback.ts";
import { describeIdpFailure, findIdpProblem, type IdpProblem } from "./idp-failure.ts";
import { samlFormPage } from "./saml-form.ts";

/** A request to a provider: for a sign-in, or for a link on the account page. */
interface IdpRequest {
  /** The sign-in or the link to which the attempt belongs. */
  readonly subject: string;
  readonly state: IdpState;
  readonly remember: boolean;
  readonly hints: ProviderHints;
}

/** Stores an attempt, and redirects the browser to the provider. */
export async function redirectToProvider(
  { config, db, keyring, clock, idpClients }: SignInParts,
  idp: SignInIdp,
  { subject, state: origin, remember, hints }: IdpRequest,
  { language, caller }: Pick<Visit, "language" | "caller">,
): Promise<PageResponse> {
  const client = await idpClients.find(idp);
  const sealed = IDP_STATES.seal({ keyring, clock }, idp.id, origin);
  const kept = "thread" in client ? { state: createRelayState(), origin: sealed } : { state: sealed, origin: null };
  const attempt = await beginIdpAttempt({ db, clock }, { signInId: subject, ...kept, idp, remember }, caller);
  const { state } = kept;
  const { nonce, codeVerifier, secret } = attempt;
  const cookies = [idpCookie(subject).header({ config }, secret)];
  if ("thread" in client) {
    const { mustAuthenticate, maxAge } = hints;
    const request = { nonce, state, mustAuthenticate: mustAuthenticate || maxAge !== undefined };
    const written = await writeSamlRequest(client, request);
    return written.binding === "redirect"
      ? redirect(written.url, cookies)
      : samlFormPage(language, idp, written, cookies);
  }
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  const redirectUri = callbackUrl(config, idp.id);
  const values = { state, nonce, codeChallenge, redirectUri };
  // Other providers than the organization's own do not need to know who signs in where.
  const loginHint = idp.isOfInstance ? undefined : hints.loginHint;
  const url = await authorizationUrl(client, values, { ...hints, loginHint, word: wordOf(idp) });
  return redirect(url.href, cookies);
}

/** Uses up the attempt of a subject; undefined if it is over, or another browser has started it. */
export async function useAttempt(
  parts: SignInParts,
  visit: Visit,
  { subject, idpId }: { readonly subject: string; readonly idpId: string },
): Promise<UsedAttempt | undefined> {
  const state = visit.request.query.get("state") ?? "";
  const secret = idpCookie(subject).read(parts, visit);
  return await useIdpAttempt(parts, { signInId: subject, idpId, state, secret }, visit.caller);
}

/** Redeems the provider's response to an attempt. */
export async function redeemAttempt(parts: SignInParts, visit: Visit, idp: SignInIdp, attempt: UsedAttempt) {
  const client = await parts.idpClients.find(idp);
  const from = { ...attempt, address: visit.request.address };
  return { client, redeemed: await redeemCode(client, toCallback(parts, visit, idp), from, parts.clock()) };
}

/** The redirect URI with the parameters of the provider's response. */
function toCallback({ config }: SignInParts, { request }: Visit, idp: SignInIdp): URL {
  const url = new URL(callbackUrl(config, idp.id));
  for (const name of RESPONSE_PARAMETERS) {
    for (const value of request.query.getAll(name)) url.searchParams.append(name, value);
  }
  return url;
}

/** The name that came as a form, which the callback has encrypted. */
export function readName(parts: SignInParts, { request }: Visit, { id }: SignInIdp): Claims {
  return IDP_NAMES.open(parts, id, request.query.get("name") ?? "") ?? {};
}

/** The user has canceled: RFC 6749, section 4.1.2.1, and at Apple (Sign in with Apple REST API). */
const DENIED: ReadonlySet<string> = new Set(["access_denied", "user_cancelled_authorize"]);

/**
 * Counts a failure, and logs it if the provider is at fault.
 *
 * @returns What the user is told; `denied` if the user has canceled at the provider.
 * @throws The error itself if it is no failure of the provider.
 */
export function reportIdpFailure(
  { keyring, log, metrics }: SignInParts,
  { request }: Visit,
  idp: SignInIdp,
  error: unknown,
): IdpProblem | "denied" {
  if (error instanceof ProviderResponseError && DENIED.has(error.error)) {
    metrics?.signInChecked("idp", "failure");
    return "denied";
  }
  const failure = describeIdpFailure(idp, error, [openClientSecret(keyring, idp), request.query.get("code") ?? ""]);
  metrics?.signInChecked("idp", "error");
  if (failure === undefined) throw error;
  logFailure(log, "warn", { requestId: request.requestId, err: failure }, "a sign-in with an identity provider failed");
  return findIdpProblem(error);
}

/**
 * The secret of the attempt of a sign-in (see `BegunAttempt`), if this browser has started it. The cookie is
 * `SameSite=Lax`, so browsers send it with the callback, to which another site redirects.
 */
export function idpCookie(signInId: string): HostCookie {
  return createCookie(`signet-idp-${signInTag(signInId)}`, ATTEMPT_SECONDS);
}
