import { type Client, type Configuration, errors, type KoaContextWithOIDC } from "oidc-provider";
import { API_SCOPE } from "../../access/find-principal.ts";
import { createSealedValues, type SealedParts } from "../../crypto/sealed-values.ts";
import { html } from "../../html.ts";
import { detailsList } from "../../web/frame/details-list.ts";
import { field } from "../../web/frame/field.ts";
import { ORG_PARAMETER } from "../requested-org.ts";
import { ROUTES } from "../routes.ts";
import { WRONG_USER_CODE } from "../start-limit.ts";
import { renderError } from "./error-page.ts";
import { formToken, sendPage } from "./send-page.ts";

type DevicePages = Pick<
  NonNullable<NonNullable<Configuration["features"]>["deviceFlow"]>,
  "userCodeInputSource" | "userCodeConfirmSource" | "successSource"
>;

/** Why a form was rejected. */
type Problem = "wrong" | "declined" | "expired";

/** What a form has led to. The page that shows it is opened by GET. */
type Shown =
  | { readonly page: Problem }
  | { readonly page: "done"; readonly orgId: string | undefined }
  | {
      readonly page: "confirm";
      readonly userCode: string;
      readonly app: string;
      readonly orgId: string | undefined;
      readonly hasApiAccess: boolean;
    };

/**
 * Sealed for the session that has sent the form. Otherwise, a link could show the confirmation of a code that the user
 * has not entered, or guess codes without being counted.
 */
const SHOWN = createSealedValues<Shown>({ table: "device", column: "page", validSeconds: 10 * 60 });

/**
 * The pages on which a user signs in a device (RFC 8628, section 3.3). Each form redirects to the page that it leads to,
 * so that neither a reload nor the back button sends the form again.
 */
export function createDevicePages(parts: SealedParts): DevicePages {
  const redirectTo = (ctx: KoaContextWithOIDC, shown: Shown) =>
    redirect(ctx, { [SHOWN_PARAMETER]: SHOWN.seal(parts, ctx.oidc.session?.uid ?? "", shown) });
  return {
    userCodeInputSource(ctx, _form, out, error) {
      const { session } = ctx.oidc;
      if (out !== undefined && error !== undefined && session?.exp === undefined) {
        // The provider has put a token for the form into a session that is not stored, and would fail to update it.
        Object.assign(session ?? {}, { state: undefined, touched: false });
        if (ctx.status < 500) redirect(ctx, { [EXPIRED_PARAMETER]: "yes" });
        else renderError(ctx, out, error);
        return;
      }
      if (error !== undefined) {
        if (error.name === "NotFoundError") ctx.oidc.provider.emit(WRONG_USER_CODE, ctx);
        if (ctx.status >= 500 && out !== undefined) renderError(ctx, out, error);
        else redirectTo(ctx, { page: problemOf(error) });
        return;
      }
      const { [SHOWN_PARAMETER]: sealed, [EXPIRED_PARAMETER]: expired } = ctx.query;
      const shown = typeof sealed === "string" ? SHOWN.open(parts, session?.uid ?? "", sealed) : undefined;
      if (shown?.page === "confirm") askForConfirmation(ctx, shown);
      else if (shown?.page === "done") showDone(ctx, shown);
      else askForCode(ctx, expired === undefined ? shown?.page : "expired");
    },
    userCodeConfirmSource(ctx, _form, client: Client, _deviceInfo, userCode) {
      const scopes = String(ctx.oidc.entities.DeviceCode?.params?.scope ?? "").split(" ");
      const app = client.clientName ?? client.clientId;
      const hasApiAccess = scopes.includes(API_SCOPE);
      redirectTo(ctx, { page: "confirm", userCode, app, orgId: orgOfDevice(ctx), hasApiAccess });
    },
    successSource(ctx) {
      redirectTo(ctx, { page: "done", orgId: orgOfDevice(ctx) });
    },
  };
}

/** The organization whose users may sign in the device. */
function orgOfDevice({ oidc }: KoaContextWithOIDC): string | undefined {
  return oidc.entities.DeviceCode?.params?.[ORG_PARAMETER] as string | undefined;
}

const SHOWN_PARAMETER = "shown";
/** For a browser without a session, for which nothing can be sealed. */
const EXPIRED_PARAMETER = "expired";

function redirect(ctx: KoaContextWithOIDC, query: Record<string, string>): void {
  ctx.status = 303;
  ctx.set("cache-control", "no-store");
  ctx.redirect(`${ROUTES.code_verification}?${new URLSearchParams(query)}`);
}

function problemOf(error: Error): Problem {
  if (error.name === "AbortedError") return "declined";
  // Also the form of a tab that another one has replaced, and a sign-in that was completed or took too long.
  return error instanceof errors.InvalidRequest ? "expired" : "wrong";
}

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

/** @param problem The reason why the code was rejected. */
function askForCode(ctx: KoaContextWithOIDC, problem: Problem | undefined): void {
  const value = ctx.state.userCode as string | undefined;
  sendPage(ctx, ({ device: texts }) => ({
    status: problem === undefined ? 200 : 422,
    title: texts.ask.title,
    leadsAway: true,
    content: html`<p>${texts.ask.text}</p>
<form method="post" action="${ROUTES.code_verification}">
<input type="hidden" name="xsrf" value="${formToken(ctx)}">
${field({
  name: "user_code",
  label: texts.code,
  error: problem && texts[problem],
  attributes: html`type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="${MAX_CODE_LENGTH}" required${value !== undefined && html` value="${value}"`}`,
})}
<button>${texts.next}</button>
</form>`,
  }));
}

function askForConfirmation(
  ctx: KoaContextWithOIDC,
  { app, orgId, userCode, hasApiAccess }: Extract<Shown, { page: "confirm" }>,
): void {
  sendPage(
    ctx,
    ({ device: texts }) => ({
      title: texts.confirm.title,
      leadsAway: true,
      content: html`<p>${texts.confirm.text}</p>
${detailsList([
  [texts.app, app],
  [texts.code, userCode],
])}
${hasApiAccess && html`<p>${texts.confirm.apiAccess}</p>`}
<form method="post" action="${ROUTES.code_verification}">
<input type="hidden" name="xsrf" value="${formToken(ctx)}">
<input type="hidden" name="user_code" value="${userCode}">
<button name="confirm" value="yes">${texts.signIn}</button>
<button class="secondary" name="abort" value="yes">${texts.cancel}</button>
</form>`,
    }),
    orgId,
  );
}

function showDone(ctx: KoaContextWithOIDC, { orgId }: Extract<Shown, { page: "done" }>): void {
  sendPage(
    ctx,
    ({ device }) => ({
      title: device.done.title,
      icon: "done",
      content: html`<p>${device.done.text}</p>`,
    }),
    orgId,
  );
}
