import { createHash } from "node:crypto";
import { ProviderResponseError } from "../../idps/discover-provider.ts";
import { findSignInIdp, type SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { logFailure } from "../../log-failure.ts";
import { authorizationUrl, readExternalUser, redeemCode } from "../../sign-in/external-user.ts";
import { beginIdpAttempt, type UsedAttempt, useIdpAttempt } from "../../sign-in/idp-attempts.ts";
import { runInSpan } from "../../telemetry/span-scope.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { describeIdpFailure } from "./describe-idp-failure.ts";
import { handleUnlinkedUser } from "./external.ts";
import { askAgain } from "./first-page.ts";
import { callbackUrl, RESPONSE_PARAMETERS } from "./idp-callback.ts";
import { idpCookieHeader, readIdpCookie } from "./idp-cookie.ts";
import { idpFailedPage } from "./idp-pages.ts";
import { signInLinkedUser } from "./linked-user.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { IDP_TEXTS } from "./texts/idp-texts.ts";

/** Redirects the browser to the chosen provider (docs/sign-in.md). */
export async function beginIdpSignIn(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { signIn, language, caller } = visit;
  const query = { orgId: signIn.org.id, idpId: form.get("idp") ?? "" };
  const idp = await findSignInIdp(parts, query, caller);
  if (idp === undefined) return askAgain(parts, visit, IDP_TEXTS[language].errors.gone);
  const remember = form.get("remember") === "yes";
  return await withProvider(parts, visit, idp, () => redirectToProvider(parts, visit, idp, remember));
}

async function redirectToProvider(
  { config, db, clock, idpClients }: SignInParts,
  { signIn, caller }: SignInVisit,
  idp: SignInIdp,
  remember: boolean,
): Promise<PageResponse> {
  const configuration = await idpClients.find(idp);
  const attempt = await beginIdpAttempt({ db, clock }, { signInId: signIn.id, idp, remember }, caller);
  const { state, nonce, codeVerifier, secret } = attempt;
  const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
  const redirectUri = callbackUrl(config, idp.id);
  const url = await authorizationUrl(configuration, idp, { state, nonce, codeChallenge, redirectUri });
  return redirect(url.href, [idpCookieHeader(config, { secret, signInId: signIn.id, appId: signIn.app.id })]);
}

/** Handles the provider's response. Without one, returns the first page. */
export async function completeIdpSignIn(parts: SignInParts, visit: SignInVisit): Promise<PageResponse> {
  const { request, signIn, language, caller } = visit;
  const { errors } = IDP_TEXTS[language];
  const state = request.query.get("state") ?? "";
  const { secret = "", signInId } = readIdpCookie(parts.config, visit, state) ?? {};
  const query = { orgId: signIn.org.id, idpId: request.query.get("idp") ?? "" };
  const idp = await findSignInIdp(parts, query, caller);
  if (idp === undefined) return askAgain(parts, visit, errors.gone);
  if (signInId !== signIn.id) return askAgain(parts, visit, errors.over);
  const attempt = await useIdpAttempt(parts, { signInId, idpId: idp.id, state, secret }, caller);
  if (attempt === undefined) return askAgain(parts, visit, errors.over);
  return await withProvider(parts, visit, idp, () => signInExternalUser(parts, visit, idp, attempt));
}

async function signInExternalUser(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  attempt: UsedAttempt,
): Promise<PageResponse> {
  const configuration = await parts.idpClients.find(idp);
  const redeemed = await redeemCode(configuration, toCallback(parts, visit, idp), attempt);
  const { remember } = attempt;
  const { externalUserId } = redeemed;
  const signedIn = await signInLinkedUser(parts, visit, idp, { externalUserId, remember });
  if (signedIn !== undefined) return signedIn;
  const user = await readExternalUser(configuration, redeemed);
  return await handleUnlinkedUser(parts, visit, idp, { idpId: idp.id, user, remember });
}

function toCallback({ config }: SignInParts, { request }: SignInVisit, idp: SignInIdp): URL {
  const url = new URL(callbackUrl(config, idp.id));
  for (const name of RESPONSE_PARAMETERS) {
    for (const value of request.query.getAll(name)) url.searchParams.append(name, value);
  }
  return url;
}

/** Returns a page for the user, and logs the failure if the provider is at fault. */
async function withProvider(
  parts: SignInParts,
  visit: SignInVisit,
  idp: SignInIdp,
  act: () => Promise<PageResponse>,
): Promise<PageResponse> {
  const { log, metrics } = parts;
  try {
    return await runInSpan(visit.caller.span, act);
  } catch (error) {
    if (error instanceof ProviderResponseError && error.error === "access_denied") {
      metrics?.signInChecked("idp", "failure");
      return askAgain(parts, visit, IDP_TEXTS[visit.language].errors.denied(idp.name));
    }
    const failure = describeIdpFailure(idp, error);
    metrics?.signInChecked("idp", "error");
    if (failure === undefined) throw error;
    const { requestId } = visit.request;
    logFailure(log, "warn", { requestId, err: failure }, "a sign-in with an identity provider failed");
    return idpFailedPage(visit, idp);
  }
}
