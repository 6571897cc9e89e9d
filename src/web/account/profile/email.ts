import { describeEmailProblem } from "../../../fields/email.ts";
import { isNoAddress } from "../../../fields/no-address.ts";
import { trimText } from "../../../fields/trim-text.ts";
import { html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { requestEmailChange } from "../../../users/change/change-own-contact.ts";
import { isNamedByAddress } from "../../../users/change/confirm-email-change.ts";
import { field } from "../../frame/field.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { formPage, problemOf } from "../form-page.ts";
import { PATHS } from "../paths.ts";
import { unlessTooSoon } from "./too-soon.ts";

/** `/ui/account/email`: sends a link to a new address, which replaces the current one once the link is used. */
export const EMAIL_CHANGE_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.email]: accountRoute({ isSensitive: true, show, submit: change }),
};

function show(parts: AccountParts, visit: AccountVisit, problem?: FormProblem, form?: URLSearchParams): PageResponse {
  const texts = visit.language.texts.accountForms.email;
  const fields = field({
    name: "email",
    label: texts.label,
    error: problemOf(problem, "email"),
    ...(isNamedByAddress(visit.account) && { hint: texts.userNameHint }),
    attributes: html`type="email" value="${form?.get("email") ?? ""}" autocomplete="email" required`,
  });
  return formPage(parts, visit, { action: PATHS.email, texts, fields, problem });
}

async function change(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, account, caller } = visit;
  const texts = language.texts.accountForms.email;
  const refuse = (text: string) => show(parts, visit, { text, field: "email" }, form);
  const email = trimText(form.get("email") ?? "");
  if (email === "" || describeEmailProblem(email) !== undefined || isNoAddress(email)) return refuse(texts.invalid);
  if (email === account.email && account.emailVerified) return refuse(texts.unchanged);
  if (!parts.outbox.sendsEmail) return show(parts, visit, { text: texts.noServer }, form);
  const request = async () => {
    await requestEmailChange(parts, { userId: account.id, email }, toOwnCall(account, caller));
    return done(parts, "email-requested");
  };
  return await unlessTooSoon(language, texts, request, (problem) => show(parts, visit, problem, form));
}
