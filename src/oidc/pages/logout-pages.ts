import type { KoaContextWithOIDC } from "oidc-provider";
import type { Database } from "../../database/database.ts";
import { html } from "../../html.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { cookieOptions } from "../cookies.ts";
import { endSession } from "../end-session.ts";
import { ROUTES } from "../routes.ts";
import { findUserId } from "../subjects.ts";
import { orUnavailable } from "../unavailable.ts";
import { formToken, sendPage } from "./send-page.ts";

/** The pages of RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0). */
export function createLogoutPages(db: Database) {
  return {
    logoutSource: (ctx: KoaContextWithOIDC) => askOrSignOut(db, ctx),
    postLogoutSuccessSource: showSignedOut,
  };
}

/**
 * Signs out immediately if `id_token_hint` proves that the application means the user of this session. Otherwise asks
 * the user, because any site can send a browser here.
 */
async function askOrSignOut(db: Database, ctx: KoaContextWithOIDC): Promise<void> {
  const { session, client, entities, provider } = ctx.oidc;
  const hinted = entities.IdTokenHint?.payload.sub;
  const userId = typeof hinted === "string" ? await orUnavailable(() => findUserId(db, hinted)) : undefined;
  if (session !== undefined && userId !== undefined && userId === session.accountId) {
    await endSession(provider, session, client?.clientId);
    ctx.cookies.set(provider.cookieName("session"), null, cookieOptions(provider.issuer));
    redirectAfterLogout(ctx);
    return;
  }
  sendPage(ctx, ({ logout: texts }) => ({
    title: texts.ask.title,
    leadsAway: true,
    content: html`<p>${client?.clientName === undefined ? texts.ask.text : fillIn(texts.ask.textFor, { app: client.clientName })}</p>
<form method="post" action="${ROUTES.end_session}/confirm">
<input type="hidden" name="xsrf" value="${formToken(ctx)}">
<button name="logout" value="yes">${texts.signOut}</button>
<button class="secondary">${texts.stay}</button>
</form>`,
  }));
}

function showSignedOut(ctx: KoaContextWithOIDC): void {
  sendPage(ctx, ({ logout }) => ({
    title: logout.done.title,
    icon: "done",
    content: html`<p>${logout.done.text}</p>`,
  }));
}

/** Redirects a browser without a session, which oidc-provider would do by script. */
export async function skipAnonymousLogout(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const { oidc } = ctx;
  const isAnonymous =
    oidc?.route === "end_session" && oidc.session !== undefined && oidc.session.accountId === undefined;
  if (isAnonymous && ctx.status === 200) redirectAfterLogout(ctx);
}

/** The provider has checked the parameters. */
function redirectAfterLogout(ctx: KoaContextWithOIDC): void {
  const { params, provider } = ctx.oidc;
  const requested = params?.post_logout_redirect_uri;
  const url = new URL(typeof requested === "string" ? requested : provider.urlFor("end_session_success"));
  if (typeof requested === "string" && typeof params?.state === "string") url.searchParams.set("state", params.state);
  ctx.status = 303;
  ctx.redirect(url.href);
}
