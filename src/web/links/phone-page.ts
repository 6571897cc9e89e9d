import { attemptsLeft } from "../../codes/attempts.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { type Html, html } from "../../messages/html.ts";
import { field } from "../frame/field.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { whenToTry } from "../frame/when-to-try.ts";
import { detailsList } from "./link-pages.ts";
import { PHONE_TEXTS } from "./texts/phone-texts.ts";

export const PHONE_PATH = "/ui/phone";

/** The form for the six digits, and below it the one that asks for a new code. */
export function phonePage(
  code: FoundCode,
  { language }: Visit,
  { error, sendForm }: { error: "malformed" | "wrong" | undefined; sendForm: Html },
): PageResponse {
  const texts = PHONE_TEXTS[language];
  const { errors } = texts;
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
  error: error === "wrong" ? errors.wrong(attemptsLeft(code)) : error && errors.malformed,
  attributes: html`class="digits" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="\\s*([0-9][\\s\\-]*){6}" maxlength="32" required title="${texts.digitsRule}"`,
})}
<button>${texts.confirmButton}</button>
</form>
${sendForm}`,
  });
}

/** For a user with too many wrong digits in 24 hours, over all codes. */
export function tooManyPage({ language }: Visit, retrySeconds: number): PageResponse {
  const { title, text } = PHONE_TEXTS[language].tooMany;
  return renderPage({
    status: 429,
    language,
    title,
    mood: "problem",
    headers: { "retry-after": String(retrySeconds) },
    content: html`<p>${text(whenToTry(retrySeconds, language))}</p>`,
  });
}

export function phoneDonePage({ language }: Visit): PageResponse {
  const { title, text } = PHONE_TEXTS[language].done;
  return renderPage({ language, title, mood: "done", content: html`<p>${text}</p>` });
}

/** All that is shown of a number, which may be someone else's by a mistake. */
export function lastDigits(phone: string): string {
  return phone.slice(-2);
}

/** The dots would be read one by one. */
function maskNumber(phone: string): Html {
  const dots = "•".repeat(Math.max(0, phone.length - 3));
  return html`<span aria-hidden="true">${dots}</span><span class="spoken">… </span>${lastDigits(phone)}`;
}
