import { networkOf } from "../../http/network-of.ts";
import { html } from "../../messages/html.ts";
import { changePassword } from "../../sign-in/change-password.ts";
import { signInWithPassword } from "../../sign-in/sign-in-with-password.ts";
import { field } from "../frame/field.ts";
import type { PageHeaders, PageResponse, PageRoutes } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { renderPage } from "../frame/render-page.ts";
import { ACCOUNT_PATH } from "../frame/sign-in-link.ts";
import { createCheckNewPassword, newPasswordFields, type RefusedPassword } from "../links/new-password-fields.ts";
import { tooOften } from "../sign-in/too-often.ts";
import type { AccountContext, SignedInVisit, WithSession } from "./account-context.ts";
import { PASSWORD_CHANGE_PATH } from "./account-page.ts";
import { ACCOUNT_TEXTS } from "./texts/account-texts.ts";

/** What is wrong with a submitted form. */
interface Refusal {
  readonly status?: number;
  readonly headers?: PageHeaders;
  readonly current?: string;
  readonly refused?: RefusedPassword;
}

/** `/ui/account/password`: changes the password of the signed-in user, and asks for the current one. */
export function createPasswordChangeRoutes(context: AccountContext, withSession: WithSession): PageRoutes {
  const { config, deviceCookie, formTokens } = context;
  const checkNewPassword = createCheckNewPassword(config);

  return {
    [PASSWORD_CHANGE_PATH]: {
      get: (visit) =>
        withSession(visit, async (found) => (found.account.hasPassword ? show(found) : redirect(ACCOUNT_PATH))),
      postForm: (visit, form) => withSession(visit, (found) => change(found, form)),
    },
  };

  function show({ visit, session, account }: SignedInVisit, refusal?: Refusal): PageResponse {
    const { change, text, current, submit, back } = ACCOUNT_TEXTS[visit.language].password;
    const { language } = visit;
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

  async function change(found: SignedInVisit, form: URLSearchParams): Promise<PageResponse> {
    const { visit, session, account } = found;
    const { language, request, caller } = visit;
    const texts = ACCOUNT_TEXTS[language];
    if (!formTokens.isValid(session.id, form.get("token"))) return show(found, { current: texts.stale });
    const current = form.get("current") ?? "";
    const password = form.get("password") ?? "";
    const refused = checkNewPassword(account, password, form.get("repeat") ?? "");
    if (refused !== undefined) return show(found, { refused });
    // The limits of a sign-in apply here too, so that an open session does not make it easier to guess the password.
    const outcome = await signInWithPassword(
      { ...context, caller },
      {
        orgId: account.orgId,
        userName: account.userName,
        password: current,
        network: networkOf(request.address),
        deviceCookie: deviceCookie.read(visit),
      },
    );
    switch (outcome.kind) {
      case "failed":
        return show(found, { current: texts.password.wrong });
      case "too-often": {
        const { text, ...response } = tooOften(outcome.retrySeconds, language);
        return show(found, { ...response, current: text });
      }
      case "proved": {
        const changed = await changePassword({ ...context, caller }, outcome.user, password, {
          sessionId: session.id,
        });
        return changed === undefined ? show(found, { current: texts.stale }) : donePage(found);
      }
      default:
        return outcome satisfies never;
    }
  }
}

function donePage({ visit: { language } }: SignedInVisit): PageResponse {
  const { changed, back } = ACCOUNT_TEXTS[language].password;
  const content = html`<p>${changed.text}</p>
<p><a class="button" href="${ACCOUNT_PATH}">${back}</a></p>`;
  return renderPage({ language, title: changed.title, icon: "done", content });
}
