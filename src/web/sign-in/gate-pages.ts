import { type Html, html } from "../../html.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageHeaders, PageResponse } from "../frame/page.ts";
import { PASSWORD_FIELD_SCRIPT } from "../frame/password-field.ts";
import { renderPage } from "../frame/render-page.ts";
import { newPasswordFields, type RefusedPassword } from "../links/new-password-fields.ts";
import type { GateForm } from "./gate-form.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { stepPath } from "./steps.ts";

/** The value of the `do` button that sends the link again. */
export const SEND_LINK = "send";

/** The form for a user whose password must be changed. */
export function newPasswordPage(
  { signIn, language }: SignInVisit,
  user: SignInUser,
  { token, proof, refused }: GateForm & { readonly refused?: RefusedPassword },
): PageResponse {
  const { newPassword, userName } = language.texts.signIn;
  return renderPage({
    status: refused === undefined ? 200 : 422,
    language,
    title: newPassword.title,
    leadsAway: true,
    scripts: [PASSWORD_FIELD_SCRIPT],
    content: html`<p>${newPassword.text}</p>
${detailsList([[userName, user.userName]])}
<form method="post" action="${stepPath(signIn, "newPassword")}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="proof" value="${proof}">
${newPasswordFields(user, language, { isRequired: true, refused })}
<button>${newPassword.submit}</button>
</form>`,
  });
}

/** What has happened after a user has asked for another link. */
export interface AddressAnswer {
  readonly status: number;
  readonly headers?: PageHeaders;
  readonly content: Html;
}

interface AddressForm extends GateForm {
  readonly canSend: boolean;
  /** Whether the user wants to continue, although the address is not verified yet. */
  readonly isTooEarly?: true;
  readonly answer?: AddressAnswer | undefined;
}

/** The page for a user whose address is not verified, after a link was sent to it. */
export function addressPage(
  { signIn, language }: SignInVisit,
  { email }: SignInUser,
  { token, proof, canSend, isTooEarly, answer }: AddressForm,
): PageResponse {
  const { address } = language.texts.signIn;
  return renderPage({
    status: answer?.status ?? (isTooEarly ? 422 : 200),
    language,
    title: address.title,
    leadsAway: true,
    ...(answer?.headers && { headers: answer.headers }),
    content: html`${answer?.content}
<p>${canSend ? address.sent(email) : address.cannotSend(email)}</p>
<p>${address.next}</p>
${isTooEarly && html`<p class="error" role="alert">${address.notYet}</p>`}
<form method="post" action="${stepPath(signIn, "address")}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="proof" value="${proof}">
<button>${address.submit}</button>
${canSend && html`<button class="secondary" name="do" value="${SEND_LINK}">${address.sendAgain}</button>`}
</form>`,
  });
}
