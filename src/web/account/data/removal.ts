import { SignetError } from "../../../errors.ts";
import { trimText } from "../../../fields/trim-text.ts";
import { userNameKey } from "../../../fields/user-name.ts";
import { html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { removeUser } from "../../../users/change/remove-user.ts";
import { ACCOUNT_PATH } from "../../frame/account-app.ts";
import { field } from "../../frame/field.ts";
import { note, notePage } from "../../frame/note.ts";
import type { PageResponse, PageRoutes, Visit } from "../../frame/page.ts";
import { problemPage } from "../../frame/problem-page.ts";
import { renderInBranding } from "../../frame/render-page.ts";
import { redirect } from "../../frame/responses.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { formPage, problemOf } from "../form-page.ts";
import { PATHS } from "../paths.ts";

/** `/ui/account/delete`: deletes the account, if ACCOUNT_DELETION allows it. */
export const REMOVAL_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.remove]: accountRoute({ isSensitive: true, show, submit: remove }),
  // Without a session, so that the browser can load the page again.
  [PATHS.removed]: { get: (_parts, visit) => removedPage(visit) },
};

function show(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): PageResponse {
  const { language, account } = visit;
  if (!parts.config.accountDeletion) return problemPage("not-found", visit);
  const texts = language.texts.accountForms.remove;
  if (account.hasRoles) return hasRolePage(visit);
  const fields = field({
    name: "userName",
    label: texts.label,
    hint: account.userName,
    error: problemOf(problem, "userName"),
    attributes: html`type="text" autocomplete="off" autocapitalize="none" spellcheck="false" required`,
  });
  return formPage(parts, visit, { action: PATHS.remove, texts, fields, isDangerous: true, problem });
}

async function remove(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, account, caller } = visit;
  if (!parts.config.accountDeletion) return problemPage("not-found", visit);
  if (userNameKey(trimText(form.get("userName") ?? "")) !== userNameKey(account.userName)) {
    return show(parts, visit, { text: language.texts.accountForms.remove.wrong, field: "userName" });
  }
  try {
    await removeUser(parts, { id: account.id }, toOwnCall(account, caller));
    return redirect(PATHS.removed);
  } catch (error) {
    if (error instanceof SignetError && error.reason === "PERMISSION_DENIED") return hasRolePage(visit);
    throw error;
  }
}

function hasRolePage({ language }: AccountVisit): PageResponse {
  const { title, hasRole: text } = language.texts.accountForms.remove;
  const next = html`<p class="cancel"><a href="${ACCOUNT_PATH}">${language.texts.account.back}</a></p>`;
  return notePage(language, { title, text }, { status: 403, icon: "problem", next });
}

function removedPage({ language }: Visit): PageResponse {
  return renderInBranding(language.tag, ({ texts }) => note(texts.accountForms.remove.done, { icon: "done" }));
}
