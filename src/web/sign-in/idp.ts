import { createHash } from "node:crypto";
import { ProviderResponseError } from "../../idps/discover-provider.ts";
import { findSignInIdp, type SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { logFailure } from "../../log-failure.ts";
import { authorizationUrl, readExternalUser, redeemCode } from "../../sign-in/external-user.ts";
import { findLinkedUser } from "../../sign-in/find-sign-in-user.ts";
import { beginIdpAttempt, useIdpAttempt } from "../../sign-in/idp-attempts.ts";
import { recordIdpCheck } from "../../sign-in/link-external-user.ts";
import { runInSpan } from "../../telemetry/span-scope.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { describeIdpFailure } from "./describe-idp-failure.ts";
import { createExternalStep } from "./external.ts";
import { callbackUrl, RESPONSE_PARAMETERS } from "./idp-callback.ts";
import { idpCookieHeader, readIdpCookie } from "./idp-cookie.ts";
import { idpFailedPage } from "./idp-pages.ts";
import { createLinkStep } from "./link.ts";
import type { SignInContext, SignInStep } from "./sign-in-context.ts";
import type { SignInRequest } from "./sign-in-requests.ts";
import type { StepOptions } from "./step-options.ts";
import { IDP_TEXTS } from "./texts/idp-texts.ts";
import { SIGN_IN_TEXTS } from "./texts/sign-in-texts.ts";

/** The value of `amr` after a sign-in with a provider. RFC 8176 does not define one; other products use this one. */
const METHODS = ["fed"];

/** The steps of a sign-in with an identity provider (docs/sign-in.md). */
export function createIdpSteps(
  context: SignInContext,
  options: StepOptions,
): Record<"idp" | "external" | "link", SignInStep> {
  const { config, db, clock, idpClients, log, metrics } = context;
  const { gates, askAgain, findExpected } = options;
  const external = createExternalStep(context, { ...options, signIn });

  return {
    idp: { get: complete, postForm: begin },
    external: external.step,
    link: createLinkStep(options),
  };

  /** Redirects the browser to the provider. */
  async function begin(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    const { caller } = visit;
    const idp = await findSignInIdp({ db, caller }, { orgId: request.org.id, idpId: form.get("idp") ?? "" });
    if (idp === undefined) return askAgain(visit, request, IDP_TEXTS[visit.language].errors.gone);
    return await withProvider(visit, request, idp, async () => {
      const configuration = await idpClients.find(idp);
      const remember = form.get("remember") === "yes";
      const attempt = await beginIdpAttempt({ db, clock, caller }, { signInId: request.id, idp, remember });
      const { state, nonce, codeVerifier, secret } = attempt;
      const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
      const redirectUri = callbackUrl(config, idp.id);
      const url = await authorizationUrl(configuration, idp, { state, nonce, codeChallenge, redirectUri });
      const cookie = idpCookieHeader(config, { secret, signInId: request.id, appId: request.app.id });
      return redirect(url.href, [cookie]);
    });
  }

  /** Handles the provider's response. Without one, returns the first page. */
  async function complete(visit: Visit, request: SignInRequest): Promise<PageResponse> {
    const { caller } = visit;
    const { query } = visit.request;
    const { errors } = IDP_TEXTS[visit.language];
    const [idpId, state] = [query.get("idp") ?? "", query.get("state") ?? ""];
    const { secret = "", signInId } = readIdpCookie(config, visit, state) ?? {};
    const idp = await findSignInIdp({ db, caller }, { orgId: request.org.id, idpId });
    if (idp === undefined) return askAgain(visit, request, errors.gone);
    if (signInId !== request.id) return askAgain(visit, request, errors.over);
    const attempt = await useIdpAttempt({ db, clock, caller }, { signInId, idpId: idp.id, state, secret });
    if (attempt === undefined) return askAgain(visit, request, errors.over);
    return await withProvider(visit, request, idp, async () => {
      const configuration = await idpClients.find(idp);
      const redeemed = await redeemCode(configuration, toCallback(visit, idp), attempt);
      const signedIn = await signIn(visit, request, idp, redeemed.externalUserId, attempt.remember);
      if (signedIn !== undefined) return signedIn;
      const user = await readExternalUser(configuration, redeemed);
      return await external.handleUnlinked(visit, request, idp, { idpId: idp.id, user, remember: attempt.remember });
    });
  }

  /** Signs in the user linked to the external user; undefined if there is none. */
  async function signIn(
    visit: Visit,
    request: SignInRequest,
    idp: SignInIdp,
    externalUserId: string,
    remember: boolean,
  ): Promise<PageResponse | undefined> {
    const { caller } = visit;
    const link = { orgId: request.org.id, idpId: idp.id, externalUserId };
    const linked = await findLinkedUser({ db, caller }, link);
    if (linked === undefined) return undefined;
    const expected = await findExpected(visit, request);
    if (expected !== undefined && expected.id !== linked.id) {
      return askAgain(visit, request, SIGN_IN_TEXTS[visit.language].errors.otherUser(expected.userName));
    }
    const user = await recordIdpCheck({ db, clock, caller }, linked, idp.id);
    metrics?.signInChecked("idp", user === undefined ? "failure" : "success");
    if (user === undefined) return askAgain(visit, request, IDP_TEXTS[visit.language].errors.blocked);
    return await gates.enter(visit, request, user, { methods: METHODS, remember, idpId: idp.id });
  }

  function toCallback(visit: Visit, idp: SignInIdp): URL {
    const url = new URL(callbackUrl(config, idp.id));
    for (const name of RESPONSE_PARAMETERS) {
      for (const value of visit.request.query.getAll(name)) url.searchParams.append(name, value);
    }
    return url;
  }

  /** Returns a page for the user, and logs the failure if the provider is at fault. */
  async function withProvider(
    visit: Visit,
    request: SignInRequest,
    idp: SignInIdp,
    act: () => Promise<PageResponse>,
  ): Promise<PageResponse> {
    try {
      return await runInSpan(visit.caller.span, act);
    } catch (error) {
      if (error instanceof ProviderResponseError && error.error === "access_denied") {
        metrics?.signInChecked("idp", "failure");
        return askAgain(visit, request, IDP_TEXTS[visit.language].errors.denied(idp.name));
      }
      const failure = describeIdpFailure(idp, error);
      metrics?.signInChecked("idp", "error");
      if (failure === undefined) throw error;
      const { requestId } = visit.request;
      logFailure(log, "warn", { requestId, err: failure }, "a sign-in with an identity provider failed");
      return idpFailedPage(request, visit, idp);
    }
  }
}
