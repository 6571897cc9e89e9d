import { networkOf } from "../../http/network-of.ts";
import { html } from "../../messages/html.ts";
import { changePassword } from "../../sign-in/change-password.ts";
import { signInWithPassword } from "../../sign-in/sign-in-with-password.ts";
import { ACCOUNT_PATH } from "../frame/account-app.ts";
import { readDeviceCookie } from "../frame/device-cookie.ts";
import { field } from "../frame/field.ts";
import type { PageHeaders, PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { renderPage } from "../frame/render-page.ts";
import { checkNewPassword, newPasswordFields, type RefusedPassword } from "../links/new-password-fields.ts";
import { tooOften } from "../sign-in/too-often.ts";
import { PASSWORD_CHANGE_PATH } from "./account-page.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { openAccount } from "./open-account.ts";
import { ACCOUNT_TEXTS } from "./texts/account-texts.ts";

/** What is wrong with a submitted form. */
interface Refusal {
  readonly status?: number;
  readonly headers?: PageHeaders;
  readonly current?: string;
  readonly refused?: RefusedPassword;
}

/** `/ui/account/password`: changes the password of the signed-in user, and asks for the current one. */
export const PASSWORD_CHANGE_ROUTES: PageRoutes<AccountParts> = {
  [PASSWORD_CHANGE_PATH]: { get: open, postForm: submit },
};

async function open(parts: AccountParts, visit: Visit): Promise<PageResponse> {
  const opened = await openAccount(parts, visit);
  if (!opened.ok) return opened.page;
  return opened.visit.account.hasPassword ? changePage(parts, opened.visit) : redirect(ACCOUNT_PATH);
}

async function submit(parts: AccountParts, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  const opened = await openAccount(parts, visit);
  return opened.ok ? await change(parts, opened.visit, form) : opened.page;
}

async function change(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, request, caller, session, account } = visit;
  const texts = ACCOUNT_TEXTS[language];
  if (!parts.formTokens.isValid(session.id, form.get("token")))
    return changePage(parts, visit, { current: texts.stale });
  const password = form.get("password") ?? "";
  const refused = checkNewPassword(parts.config, account, password, form.get("repeat") ?? "");
  if (refused !== undefined) return changePage(parts, visit, { refused });
  // The same limits as for a sign-in, so that an open session does not make it easier to guess the password.
  const attempt = {
    orgId: account.orgId,
    userName: account.userName,
    password: form.get("current") ?? "",
    network: networkOf(request.address),
    deviceCookie: readDeviceCookie(parts, visit),
  };
  const outcome = await signInWithPassword(parts, attempt, caller);
  switch (outcome.kind) {
    case "failed":
      return changePage(parts, visit, { current: texts.password.wrong });
    case "too-often": {
      const { text, ...response } = tooOften(outcome.retrySeconds, language);
      return changePage(parts, visit, { ...response, current: text });
    }
    case "proved": {
      const kept = { sessionId: session.id };
      const changed = await changePassword(parts, outcome.user, password, kept, caller);
      return changed === undefined ? changePage(parts, visit, { current: texts.stale }) : donePage(visit);
    }
    default:
      return outcome satisfies never;
  }
}

function changePage(
  { formTokens }: AccountParts,
  { language, session, account }: AccountVisit,
  refusal?: Refusal,
): PageResponse {
  const { change, text, current, submit, back } = ACCOUNT_TEXTS[language].password;
  const currentField = field({
    name: "current",
    label: current,
    error: refusal?.current,
    attributes: html`type="password" autocomplete="current-password" required`,
  });
  return renderPage({
    status: refusal === undefined ? 200 : (refusal.status ?? 422),
    language,
    title: change,
    ...(refusal?.headers && { headers: refusal.headers }),
    content: html`<p>${text}</p>
<form method="post" action="${PASSWORD_CHANGE_PATH}">
<input type="hidden" name="token" value="${formTokens.create(session.id)}">
${newPasswordFields(account, language, { isRequired: true, refused: refusal?.refused, current: currentField })}
<button>${submit}</button>
</form>
<p class="small"><a href="${ACCOUNT_PATH}">${back}</a></p>`,
  });
}

function donePage({ language }: Visit): PageResponse {
  const { changed, back } = ACCOUNT_TEXTS[language].password;
  const content = html`<p>${changed.text}</p>
<p><a class="button" href="${ACCOUNT_PATH}">${back}</a></p>`;
  return renderPage({ language, title: changed.title, icon: "done", content });
}
