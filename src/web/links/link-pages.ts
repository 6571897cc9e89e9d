import type { FoundCode } from "../../codes/find-code.ts";
import { nextSendAt } from "../../codes/replace-limits.ts";
import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import { isUnfinished, requestNewCode } from "../../users/request-new-code.ts";
import { formatDelay, secondsUntil } from "../frame/format-delay.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { renderPage } from "../frame/render-page.ts";
import type { LinkParts } from "./link-parts.ts";
import type { LinkTexts, TitledText } from "./texts/link-texts.ts";

/** The value of the `do` button in the form that requests a new code. */
export const SEND_CODE = "send";

/** The differences between the links that verify an address or a number. */
export interface CodeLink {
  /** The path to which forms are posted. */
  readonly path: string;
  readonly channel: "email" | "sms";
  readonly texts: Readonly<Record<Language, LinkTexts>>;
  /** How a text refers to the recipient of a new code. */
  readonly describeRecipient: (code: FoundCode, language: Language) => string;
}

/**
 * The page for a link whose code is not valid, or no longer has a purpose. A previously valid link has status 410
 * (Gone).
 *
 * @param explanation Replaces the text for the state of the code.
 */
export function unusableLinkPage(
  parts: LinkParts,
  link: CodeLink,
  code: FoundCode,
  visit: Visit,
  explanation?: TitledText,
): PageResponse {
  // The user was deactivated or locked after the link was opened.
  if (code.state === "blocked") return problemPage("blocked-user", visit);
  const { language } = visit;
  const texts = link.texts[language];
  if (!isUnfinished(code) && code.state !== "outdated") {
    const { title, text } = texts.finished;
    return renderPage({ status: 410, language, title, icon: "done", content: html`<p>${text}</p>` });
  }
  const { title, text } = explanation ?? (code.state === "valid" ? texts.used : texts[code.state]);
  const content = html`<p>${text}</p>
${code.state !== "outdated" && newCodeForm(parts, link, code, visit, "only")}`;
  return renderPage({ status: 410, language, title, icon: "problem", content });
}

/**
 * The form that requests a new code, or a sentence that explains why none can be sent now.
 *
 * @param role Whether it is the only form on the page, or follows another one.
 */
export function newCodeForm(
  { outbox, clock }: LinkParts,
  { path, channel, texts: allTexts, describeRecipient }: CodeLink,
  code: FoundCode,
  { language }: Visit,
  role: "only" | "other",
): Html {
  const texts = allTexts[language];
  const canSend = channel === "sms" ? outbox.sendsSms : outbox.sendsEmail;
  const paragraph = (text: string) => (role === "only" ? html`<p>${text}</p>` : html`<p class="small">${text}</p>`);
  if (!canSend) return paragraph(texts.contactAdministrator);
  const nextAt = nextSendAt(code, clock());
  if (nextAt !== undefined) return paragraph(texts.tooOften.text(formatDelay(secondsUntil(nextAt, clock()), language)));
  return html`<form class="${role}" method="post" action="${path}">
<input type="hidden" name="code" value="${code.text}">
${paragraph(texts.sendOffer(describeRecipient(code, language)))}
<button${role === "other" && html` class="quiet"`} name="do" value="${SEND_CODE}">${texts.send}</button>
</form>`;
}

/** Sends a new code, and shows the outcome. */
export async function sendNewCode(
  parts: LinkParts,
  link: CodeLink,
  code: FoundCode,
  visit: Visit,
): Promise<PageResponse> {
  const { language, caller } = visit;
  const { sent, tooOften } = link.texts[language];
  const outcome = await requestNewCode(parts, code, caller);
  switch (outcome.kind) {
    case "sent": {
      const content = html`<p>${sent.text(link.describeRecipient(code, language))}</p>`;
      return renderPage({ language, title: sent.title, icon: "done", content });
    }
    case "too-often": {
      const retrySeconds = secondsUntil(outcome.nextAt, parts.clock());
      const content = html`<p>${tooOften.text(formatDelay(retrySeconds, language))}</p>`;
      const headers = { "retry-after": String(retrySeconds) };
      return renderPage({ status: 429, language, title: tooOften.title, icon: "problem", headers, content });
    }
    case "not-needed":
      return unusableLinkPage(parts, link, code, visit);
    default:
      return outcome satisfies never;
  }
}
