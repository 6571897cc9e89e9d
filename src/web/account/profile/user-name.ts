import { SignetError } from "../../../errors.ts";
import { isForeignIdentifier } from "../../../fields/foreign-identifier.ts";
import { trimText } from "../../../fields/trim-text.ts";
import { describeUserNameProblem } from "../../../fields/user-name.ts";
import { html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { updateUserName } from "../../../users/change/update-user-name.ts";
import { field } from "../../frame/field.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import { problemPage } from "../../frame/problem-page.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { formPage, problemOf } from "../form-page.ts";
import { PATHS } from "../paths.ts";

/** `/ui/account/user-name`: changes the user name. */
export const USER_NAME_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.userName]: accountRoute({ isSensitive: true, show, submit: change }),
};

function show(parts: AccountParts, visit: AccountVisit, problem?: FormProblem, form?: URLSearchParams): PageResponse {
  const texts = visit.language.texts.accountForms.userName;
  const fields = field({
    name: "userName",
    label: texts.label,
    error: problemOf(problem, "userName"),
    attributes: html`type="text" value="${form?.get("userName") ?? visit.account.userName}" autocomplete="username" autocapitalize="none" spellcheck="false" required`,
  });
  return formPage(parts, visit, { action: PATHS.userName, texts, fields, problem });
}

async function change(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, account, caller, request } = visit;
  const { limit } = parts;
  const blockedSeconds = limit.secondsBlocked(request.address);
  if (blockedSeconds !== undefined) return problemPage("too-many", visit, { retrySeconds: blockedSeconds });
  const texts = language.texts.accountForms.userName;
  const refuse = (text: string) => show(parts, visit, { text, field: "userName" }, form);
  const userName = trimText(form.get("userName") ?? "");
  if (userName === "") return refuse(texts.missing);
  if (describeUserNameProblem(userName) !== undefined) return refuse(texts.invalid);
  const { phone, phoneVerified } = account;
  const own = [
    account.userName,
    ...(account.emailVerified ? [account.email] : []),
    ...(phoneVerified && phone !== null ? [phone] : []),
  ];
  if (isForeignIdentifier(userName, own)) return refuse(texts.foreignAddress);
  try {
    await updateUserName(parts, { userId: account.id, userName }, toOwnCall(account, caller));
    return done(parts, "user-name-changed");
  } catch (error) {
    if (!(error instanceof SignetError && error.reason === "USER_NAME_TAKEN")) throw error;
    // A taken name reveals that there is a user with this name or address.
    const retrySeconds = await limit.countFailure(request.address, caller);
    return retrySeconds === undefined ? refuse(texts.taken) : problemPage("too-many", visit, { retrySeconds });
  }
}
