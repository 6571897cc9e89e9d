import { attemptsLeft } from "../../codes/attempts.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { type Html, html } from "../../html.ts";
import { chooseForm, fillIn } from "../../texts/placeholders.ts";
import { detailsList } from "../frame/details-list.ts";
import { field } from "../frame/field.ts";
import { formatDelay } from "../frame/format-delay.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";

export const PHONE_PATH = "/ui/phone";

/** The form for the six digits, followed by the form that requests a new code. */
export function phonePage(
  code: FoundCode,
  { language }: Visit,
  { error, newCodeForm }: { error: "malformed" | "wrong" | undefined; newCodeForm: Html },
): PageResponse {
  const texts = language.texts.links.phone;
  const { errors } = texts;
  const left = attemptsLeft(code);
  return renderPage({
    status: error === undefined ? 200 : 422,
    language,
    title: texts.confirm.title,
    content: html`<p>${texts.confirm.text}</p>
${detailsList([
  [texts.name, code.user.displayName],
  [texts.number, maskNumber(code.user.phone ?? "")],
])}
<form method="post" action="${PHONE_PATH}">
<input type="hidden" name="code" value="${code.text}">
${field({
  name: "digits",
  label: texts.digits,
  hint: texts.digitsRule,
  error: error === "wrong" ? fillIn(chooseForm(errors.wrong, left, language.tag), { left }) : error && errors.malformed,
  attributes: html`class="digits" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*([0-9][\\s\\-]*){6}" maxlength="32" required title="${texts.digitsRule}"`,
})}
<button>${texts.confirmButton}</button>
</form>
${newCodeForm}`,
  });
}

/** The page for a user who has entered too many wrong digits in 24 hours, across all codes. */
export function tooManyPage({ language }: Visit, retrySeconds: number): PageResponse {
  const { title, text } = language.texts.links.phone.tooMany;
  return renderPage({
    status: 429,
    language,
    title,
    icon: "problem",
    headers: { "retry-after": String(retrySeconds) },
    content: html`<p>${fillIn(text, { delay: formatDelay(retrySeconds, language) })}</p>`,
  });
}

export function phoneDonePage({ user, orgId }: FoundCode, { language }: Visit): PageResponse {
  const { title, text } = language.texts.links.phone.done;
  const content = html`<p>${text}</p>
${user.hasPassword && signInLink(language, orgId)}`;
  return renderPage({ language, title, icon: "done", content });
}

/** The visible part of a number. The rest is hidden, because the link may have been sent to the wrong person. */
export function lastDigits(phone: string): string {
  return phone.slice(-2);
}

/** The dots are hidden from screen readers, which would read them one by one. */
function maskNumber(phone: string): Html {
  const dots = "•".repeat(Math.max(0, phone.length - 3));
  return html`<span aria-hidden="true">${dots}</span><span class="spoken">… </span>${lastDigits(phone)}`;
}
