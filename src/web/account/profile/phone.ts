import { parsePhone } from "../../../fields/phone.ts";
import { type Html, html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { changeOwnPhone } from "../../../users/change/change-own-contact.ts";
import { removeHumanPhone } from "../../../users/change/remove-human-phone.ts";
import { resendHumanPhoneVerification } from "../../../users/change/resend-human-phone-verification.ts";
import { detailsList } from "../../frame/details-list.ts";
import { field } from "../../frame/field.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import { redirect } from "../../frame/responses.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { formPage, problemOf } from "../form-page.ts";
import { PATHS } from "../paths.ts";
import { unlessTooSoon } from "./too-soon.ts";

/** `/ui/account/phone`: changes and removes the phone number, and sends another SMS to it. */
export const PHONE_CHANGE_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.phone]: accountRoute({ isSensitive: true, show, submit: change }),
  [PATHS.resendPhone]: accountRoute({ isSensitive: true, show, submit: resend }),
  [PATHS.removePhone]: accountRoute({ isSensitive: true, show: showRemoval, submit: remove }),
};

function show(parts: AccountParts, visit: AccountVisit, problem?: FormProblem, form?: URLSearchParams): PageResponse {
  const { textWithoutSms, ...withSms } = visit.language.texts.accountForms.phone;
  const texts = parts.outbox.sendsSms ? withSms : { ...withSms, text: textWithoutSms };
  const fields = field({
    name: "phone",
    label: texts.label,
    hint: texts.hint,
    error: problemOf(problem, "phone"),
    attributes: html`type="tel" value="${form?.get("phone") ?? ""}" autocomplete="tel" required`,
  });
  const after = otherActions(parts, visit);
  return formPage(parts, visit, { action: PATHS.phone, texts, fields, after, problem });
}

/** What can be done with the current number. */
function otherActions({ formTokens, outbox }: AccountParts, { language, session, account }: AccountVisit): Html {
  if (account.phone === null) return html``;
  const texts = language.texts.accountForms.phone;
  const canResend = !account.phoneVerified && outbox.sendsSms;
  return html`<form class="other" method="post" action="${PATHS.resendPhone}">
<p>${account.phone}</p>
<input type="hidden" name="token" value="${formTokens.create(session.id)}">
${canResend && html`<button class="secondary">${texts.resend}</button>\n`}<a class="button secondary danger" href="${PATHS.removePhone}">${texts.remove}</a>
</form>`;
}

async function change(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, account, caller } = visit;
  const texts = language.texts.accountForms.phone;
  const phone = parsePhone(form.get("phone") ?? "");
  if (!phone.ok) return show(parts, visit, { text: texts.invalid, field: "phone" }, form);
  const store = async () => {
    await changeOwnPhone(parts, { userId: account.id, phone: phone.e164 }, toOwnCall(account, caller));
    return done(parts, parts.outbox.sendsSms ? "phone-requested" : "phone-changed");
  };
  return await unlessTooSoon(language, texts, store, (problem) => show(parts, visit, problem, form));
}

async function resend(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  const { language, account, caller } = visit;
  if (account.phone === null || account.phoneVerified || !parts.outbox.sendsSms) return show(parts, visit);
  const send = async () => {
    await resendHumanPhoneVerification(parts, { userId: account.id }, toOwnCall(account, caller));
    return done(parts, "phone-requested");
  };
  // The form has no field for the number.
  const showAgain = (problem: FormProblem) => show(parts, visit, { ...problem, field: undefined });
  return await unlessTooSoon(language, language.texts.accountForms.phone, send, showAgain);
}

/** Asks before the number is removed. */
function showRemoval(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): PageResponse {
  const { phone } = visit.account;
  if (phone === null) return redirect(PATHS.phone);
  const { account, accountForms } = visit.language.texts;
  const texts = { ...accountForms.removePhone, submit: accountForms.phone.remove };
  const fields = detailsList([[account.phone, phone]]);
  return formPage(parts, visit, { action: PATHS.removePhone, texts, fields, isDangerous: true, problem });
}

async function remove(parts: AccountParts, { account, caller }: AccountVisit): Promise<PageResponse> {
  if (account.phone === null) return redirect(PATHS.phone);
  await removeHumanPhone(parts, { userId: account.id }, toOwnCall(account, caller));
  return done(parts, "phone-removed");
}
