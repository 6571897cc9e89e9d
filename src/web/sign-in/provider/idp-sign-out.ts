import type { Config } from "../../../config.ts";
import { createSealedValues, type SealedParts } from "../../../crypto/sealed-values.ts";
import type { Database } from "../../../database/database.ts";
import { html } from "../../../html.ts";
import { findEndSessionEndpoint } from "../../../idps/discover-provider.ts";
import { findSignInIdp, type SignInIdp } from "../../../idps/find-sign-in-idp.ts";
import { logFailure } from "../../../log-failure.ts";
import { runInSpan } from "../../../telemetry/span-scope.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { note } from "../../frame/note.ts";
import type { PageResponse, PageRoute, Visit } from "../../frame/page.ts";
import { renderInBranding } from "../../frame/render-page.ts";
import { redirect } from "../../frame/responses.ts";
import type { SignInParts } from "../sign-in-parts.ts";
import { describeIdpFailure } from "./idp-failure.ts";

interface SignOut {
  readonly orgId: string;
  /** Where the browser goes after the provider; absent for a page that says that the user is signed out. */
  readonly returnTo?: string | undefined;
}

/** The provider returns it as `state`, so no one else can choose where the browser goes. */
const SEALED_SIGN_OUTS = createSealedValues<SignOut>({ table: "sign-in", column: "sign-out", validSeconds: 60 * 60 });

/** The provider that has confirmed the user of a session, and the user's organization. */
interface ConfirmedBy {
  readonly idpId: string;
  readonly orgId: string;
}

/**
 * The URL to register with a provider, to which it redirects after a sign-out (OpenID Connect RP-Initiated Logout 1.0,
 * section 3.1). Each provider has a separate one.
 */
export function signedOutUrl({ publicUrl }: Pick<Config, "publicUrl">, idpId: string): string {
  return `${publicUrl}/ui/idps/${idpId}/signed-out`;
}

/**
 * The path at which the browser of an ended session continues its sign-out at the provider.
 *
 * @param returnTo The URL to which the browser returns, if any.
 * @returns Undefined if the provider cannot be used any more, or its sign-outs are not federated.
 */
export async function findIdpSignOut(
  parts: SealedParts & { readonly db: Database },
  { idpId, orgId }: ConfirmedBy,
  returnTo?: string,
): Promise<string | undefined> {
  const idp = await findSignInIdp(parts, { orgId, idpId });
  if (idp === undefined || !idp.federatedLogoutEnabled) return undefined;
  const state = SEALED_SIGN_OUTS.seal(parts, idp.id, { orgId, returnTo });
  return `/ui/idps/${idp.id}/sign-out?${new URLSearchParams({ state })}`;
}

/**
 * `/ui/idps/<id>/sign-out`: redirects the browser to the provider. `/ui/idps/<id>/signed-out`: redirects it to where the
 * sign-out came from. Returns the route of a path; undefined if there is none.
 */
export function findSignOutRoute(path: string): PageRoute<SignInParts> | undefined {
  const [, idpId, step] = /^\/ui\/idps\/([0-9a-f-]{36})\/(sign-out|signed-out)$/.exec(path) ?? [];
  if (idpId === undefined) return undefined;
  return step === "sign-out"
    ? { get: (parts, visit) => signOutAtIdp(parts, visit, idpId) }
    : { get: (parts, visit) => returnFrom(parts, visit, idpId) };
}

/** The session here has ended already, so a provider that cannot be used is skipped. */
async function signOutAtIdp(parts: SignInParts, visit: Visit, idpId: string): Promise<PageResponse> {
  const { request, caller } = visit;
  const state = request.query.get("state") ?? "";
  const signOut = SEALED_SIGN_OUTS.open(parts, idpId, state);
  if (signOut === undefined) return signedOutPage(visit);
  const idp = await findSignInIdp(parts, { orgId: signOut.orgId, idpId }, caller);
  const url = idp && (await runInSpan(caller.span, () => findEndSessionUrl(parts, visit, idp, state)));
  return url === undefined ? returnFrom(parts, visit, idpId) : redirect(url.href);
}

/**
 * No `id_token_hint`, because Signet does not store ID tokens: the provider knows the user from its own session, and
 * asks for a confirmation (section 2).
 */
async function findEndSessionUrl(
  { config, idpClients, log }: SignInParts,
  { request }: Visit,
  idp: SignInIdp,
  state: string,
): Promise<URL | undefined> {
  try {
    const client = await idpClients.find(idp);
    if (!("configuration" in client)) return undefined;
    const { configuration } = client;
    if (findEndSessionEndpoint(configuration.serverMetadata(), idp.issuer) === undefined) return undefined;
    const { buildEndSessionUrl } = await import("openid-client");
    // Adds `client_id`.
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri: signedOutUrl(config, idp.id), state });
  } catch (error) {
    const failure = describeIdpFailure(idp, error, []);
    if (failure === undefined) throw error;
    const { requestId } = request;
    logFailure(log, "warn", { requestId, err: failure }, "a sign-out with an identity provider failed");
    return undefined;
  }
}

function returnFrom(parts: SignInParts, visit: Visit, idpId: string): PageResponse {
  const { orgId, returnTo } = SEALED_SIGN_OUTS.open(parts, idpId, visit.request.query.get("state") ?? "") ?? {};
  return returnTo === undefined ? signedOutPage(visit, orgId) : redirect(returnTo);
}

/**
 * The page after a sign-out that no application has requested.
 *
 * @param orgId The organization of the user, who can sign in to it again; by default, `default`.
 */
export function signedOutPage({ language }: Pick<Visit, "language">, orgId?: string): PageResponse {
  const path = orgId === undefined ? ACCOUNT_PATH : `${ACCOUNT_PATH}?org=${orgId}`;
  return renderInBranding(language.tag, ({ texts }) => {
    const { signedOut } = texts.account;
    return note(signedOut, {
      icon: "done",
      next: html`<p><a class="button" href="${path}">${signedOut.signIn}</a></p>`,
    });
  });
}
