import type { Client, ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { API_SCOPE } from "../../access/find-principal.ts";
import { html } from "../../html.ts";
import { TEXTS } from "../../texts/languages.ts";
import { detailsList } from "../../web/frame/details-list.ts";
import { field } from "../../web/frame/field.ts";
import { ROUTES } from "../routes.ts";
import { WRONG_USER_CODE } from "../user-code-attempts.ts";
import { renderError } from "./error-page.ts";
import { formToken, languageOf, sendPage } from "./send-page.ts";

/** The pages on which a user signs in a device (RFC 8628, section 3.3). */
export const DEVICE_PAGES = {
  userCodeInputSource: askForCode,
  userCodeConfirmSource: askForConfirmation,
  successSource: showDone,
};

/**
 * Takes the code from the link that the device may show, and puts it into the page's field for the user to compare (RFC
 * 8628, section 3.3.1). oidc-provider would submit it by script.
 */
export async function keepUserCode(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.method === "GET" && ctx.path === ROUTES.code_verification) {
    const { user_code: userCode, ...query } = ctx.query;
    if (typeof userCode === "string") ctx.state.userCode = userCode.slice(0, MAX_CODE_LENGTH);
    ctx.query = query;
  }
  await next();
}

const MAX_CODE_LENGTH = 16;

/** @param error The reason why the code was rejected. */
function askForCode(ctx: KoaContextWithOIDC, _form: string, out?: ErrorOut, error?: Error): void {
  const { session } = ctx.oidc;
  if (out !== undefined && error !== undefined && session?.exp === undefined) {
    // The provider has put a token for the form into a session that is not stored, and would fail to update it.
    Object.assign(session ?? {}, { state: undefined, touched: false });
    if (ctx.status < 500) showExpired(ctx);
    else renderError(ctx, out, error);
    return;
  }
  if (error?.name === "NotFoundError") ctx.oidc.provider.emit(WRONG_USER_CODE, ctx);
  const texts = TEXTS[languageOf(ctx)].oidc.device;
  const value = ctx.state.userCode as string | undefined;
  sendPage(ctx, {
    status: error === undefined ? 200 : Math.max(422, ctx.status),
    title: texts.ask.title,
    leadsAway: true,
    content: html`<p>${texts.ask.text}</p>
<form method="post" action="${ROUTES.code_verification}">
<input type="hidden" name="xsrf" value="${formToken(ctx)}">
${field({
  name: "user_code",
  label: texts.code,
  error: error && (error.name === "AbortedError" ? texts.declined : texts.wrong),
  attributes: html`type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="${MAX_CODE_LENGTH}" required${value !== undefined && html` value="${value}"`}`,
})}
<button>${texts.next}</button>
</form>`,
  });
}

/** The browser has no session that could have the form. */
function showExpired(ctx: KoaContextWithOIDC): void {
  const texts = TEXTS[languageOf(ctx)].oidc.device;
  sendPage(ctx, {
    status: 400,
    title: texts.ask.title,
    icon: "problem",
    content: html`<p>${texts.expired}</p>
<p><a href="${ROUTES.code_verification}">${texts.startAgain}</a></p>`,
  });
}

function askForConfirmation(
  ctx: KoaContextWithOIDC,
  _form: string,
  client: Client,
  _deviceInfo: unknown,
  userCode: string,
): void {
  const texts = TEXTS[languageOf(ctx)].oidc.device;
  const scopes = String(ctx.oidc.entities.DeviceCode?.params?.scope ?? "").split(" ");
  sendPage(ctx, {
    title: texts.confirm.title,
    leadsAway: true,
    content: html`<p>${texts.confirm.text}</p>
${detailsList([
  [texts.app, client.clientName ?? client.clientId],
  [texts.code, userCode],
])}
${scopes.includes(API_SCOPE) && html`<p>${texts.confirm.apiAccess}</p>`}
<form method="post" action="${ROUTES.code_verification}">
<input type="hidden" name="xsrf" value="${formToken(ctx)}">
<input type="hidden" name="user_code" value="${userCode}">
<button name="confirm" value="yes">${texts.signIn}</button>
<button class="secondary" name="abort" value="yes">${texts.cancel}</button>
</form>`,
  });
}

function showDone(ctx: KoaContextWithOIDC): void {
  const { title, text } = TEXTS[languageOf(ctx)].oidc.device.done;
  sendPage(ctx, { title, icon: "done", content: html`<p>${text}</p>` });
}
