import { attemptsLeft, nextAttemptAt } from "../../codes/attempts.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { type Html, html } from "../../html.ts";
import { chooseForm, fillIn } from "../../texts/placeholders.ts";
import { verifyPhone } from "../../users/change/verify-recipient.ts";
import { detailsList } from "../frame/details-list.ts";
import { field } from "../frame/field.ts";
import { secondsUntil } from "../frame/format-time.ts";
import { notePage } from "../frame/note.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import {
  type CodeLink,
  codeRoute,
  newCodeForm,
  sendNewCode,
  TAKEN,
  tooOftenPage,
  unusableLinkPage,
} from "./link-pages.ts";
import type { LinkParts } from "./link-parts.ts";
import { redirectToLink } from "./open-link.ts";

const PATH = "/ui/phone";

const LINK: CodeLink = {
  kind: "phone",
  path: PATH,
  channel: "sms",
  texts: "phone",
  describeRecipient: ({ user }, language) =>
    fillIn(language.texts.links.phone.endingIn, { digits: lastDigits(user.phone ?? "") }),
};

/** `/ui/phone`: the link of the SMS. Its six digits verify the number (docs/pages.md). */
export const PHONE_ROUTES: PageRoutes<LinkParts> = {
  [PATH]: codeRoute(LINK, { show, submit: verify }, send),
};

/** The values of the parameter `error`. */
const DIGIT_ERRORS = ["malformed", "wrong"] as const;

function show(parts: LinkParts, code: FoundCode, visit: Visit): PageResponse {
  const { clock } = parts;
  const { query } = visit.request;
  if (code.state === "used" && code.user.phoneVerified && query.has("done")) return phoneDonePage(code, visit);
  if (code.state === "outdated" || code.state === "blocked" || code.user.phoneVerified) {
    return unusableLinkPage(parts, LINK, code, visit);
  }
  // Too many wrong digits in 24 hours, across all codes.
  const nextAt = nextAttemptAt(code, clock());
  const { ended, tooMany } = visit.language.texts.links.phone;
  if (nextAt !== undefined) return tooOftenPage(tooMany, secondsUntil(nextAt, clock()), visit);
  if (code.state !== "valid") return unusableLinkPage(parts, LINK, code, visit);
  if (attemptsLeft(code) === 0) return unusableLinkPage(parts, LINK, code, visit, ended);
  const error = DIGIT_ERRORS.find((known) => known === query.get("error"));
  return phonePage(code, visit, { error, newCodeForm: newCodeForm(parts, LINK, code, visit, "other") });
}

async function verify(parts: LinkParts, code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  const digits = parseDigits(form.get("digits") ?? "");
  if (digits === undefined) return redirectToLink(parts, PATH, code, { error: "malformed" });
  const outcome = await verifyPhone(parts, code, digits, visit.caller);
  switch (outcome.kind) {
    case "verified":
      return redirectToLink(parts, PATH, code, { done: "confirmed" });
    case "taken":
      return redirectToLink(parts, PATH, code, { error: TAKEN });
    case "refused":
      return redirectToLink(parts, PATH, code);
    case "wrong":
      // The page says if the address is now blocked.
      await parts.limit.countFailure(visit.request.address, visit.caller);
      return redirectToLink(parts, PATH, code, { error: "wrong" });
    default:
      return outcome satisfies never;
  }
}

/** Sends no new code while the user has no attempts left. */
async function send(parts: LinkParts, link: CodeLink, code: FoundCode, visit: Visit): Promise<PageResponse> {
  const nextAt = nextAttemptAt(code, parts.clock());
  return nextAt === undefined ? await sendNewCode(parts, link, code, visit) : redirectToLink(parts, PATH, code);
}

/** Six digits, which may be separated by spaces and dashes; undefined for any other text. */
function parseDigits(entered: string): string | undefined {
  const digits = entered.replace(/[\s\p{Dash_Punctuation}]/gu, "");
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}

/** The form for the six digits, followed by the form that requests a new code. */
function phonePage(
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
<form method="post" action="${PATH}">
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

function phoneDonePage({ user, orgId }: FoundCode, { language }: Visit): PageResponse {
  const next = user.hasPassword ? signInLink(language, orgId) : undefined;
  return notePage(language, language.texts.links.phone.done, { icon: "done", next });
}

/** The visible part of a number. The rest is hidden, because the link may have been sent to the wrong person. */
function lastDigits(phone: string): string {
  return phone.slice(-2);
}

/** The dots are hidden from screen readers, which would read them one by one. */
function maskNumber(phone: string): Html {
  const dots = "•".repeat(Math.max(0, phone.length - 3));
  return html`<span aria-hidden="true">${dots}</span><span class="spoken">… </span>${lastDigits(phone)}`;
}
