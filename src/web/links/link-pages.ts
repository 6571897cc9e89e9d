import type { Clock } from "../../clock.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { nextSendAt } from "../../codes/replace-limits.ts";
import { type Html, html } from "../../messages/html.ts";
import { isUnfinished, type NewCodeOutcome } from "../../users/request-new-code.ts";
import { formatDelay, secondsUntil } from "../frame/format-delay.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { renderPage } from "../frame/render-page.ts";
import type { LinkTexts, TitledText } from "./texts/link-texts.ts";

/** The value of the `do` button in the form that requests a new code. */
export const SEND_CODE = "send";

/** The differences between the links in messages. */
export interface LinkPagesOptions {
  /** The path to which forms are posted. */
  readonly path: string;
  readonly clock: Clock;
  /** Whether messages of this kind can be sent. */
  readonly canSend: boolean;
  readonly requestNewCode: (code: FoundCode, visit: Visit) => Promise<NewCodeOutcome>;
  readonly textsOf: (visit: Visit) => LinkTexts;
  /** How a text refers to the recipient of a new code. */
  readonly describeRecipient: (code: FoundCode, visit: Visit) => string;
}

/** The pages for a link that can no longer be used, and for the new one that replaces it. */
export function createLinkPages({
  path,
  clock,
  canSend,
  requestNewCode,
  textsOf,
  describeRecipient,
}: LinkPagesOptions) {
  return { unusableLinkPage, sendNewCode, newCodeForm };

  /**
   * The page for a link whose code is not valid, or no longer has a purpose. A previously valid link has status 410
   * (Gone).
   *
   * @param explanation Replaces the text for the state of the code.
   */
  function unusableLinkPage(code: FoundCode, visit: Visit, explanation?: TitledText): PageResponse {
    // The user was deactivated or locked after the link was opened.
    if (code.state === "blocked") return problemPage("blocked-user", visit);
    const texts = textsOf(visit);
    const { language } = visit;
    if (!isUnfinished(code) && code.state !== "outdated") {
      const { title, text } = texts.finished;
      return renderPage({ status: 410, language, title, icon: "done", content: html`<p>${text}</p>` });
    }
    const { title, text } = explanation ?? (code.state === "valid" ? texts.used : texts[code.state]);
    const content = html`<p>${text}</p>
${code.state !== "outdated" && newCodeForm(code, visit, "only")}`;
    return renderPage({ status: 410, language, title, icon: "problem", content });
  }

  /**
   * The form that requests a new code, or a sentence that explains why none can be sent now.
   *
   * @param role Whether it is the only form on the page, or follows another one.
   */
  function newCodeForm(code: FoundCode, visit: Visit, role: "only" | "other"): Html {
    const texts = textsOf(visit);
    const paragraph = (text: string) => (role === "only" ? html`<p>${text}</p>` : html`<p class="small">${text}</p>`);
    if (!canSend) return paragraph(texts.contactAdministrator);
    const nextAt = nextSendAt(code, clock());
    if (nextAt !== undefined) return paragraph(texts.tooOften.text(delayUntil(nextAt, visit)));
    return html`<form class="${role}" method="post" action="${path}">
<input type="hidden" name="code" value="${code.text}">
${paragraph(texts.sendOffer(describeRecipient(code, visit)))}
<button${role === "other" && html` class="quiet"`} name="do" value="${SEND_CODE}">${texts.send}</button>
</form>`;
  }

  async function sendNewCode(code: FoundCode, visit: Visit): Promise<PageResponse> {
    const texts = textsOf(visit);
    const { language } = visit;
    const outcome = await requestNewCode(code, visit);
    switch (outcome.kind) {
      case "sent": {
        const content = html`<p>${texts.sent.text(describeRecipient(code, visit))}</p>`;
        return renderPage({ language, title: texts.sent.title, icon: "done", content });
      }
      case "too-often": {
        const content = html`<p>${texts.tooOften.text(delayUntil(outcome.nextAt, visit))}</p>`;
        const headers = { "retry-after": String(secondsUntil(outcome.nextAt, clock())) };
        return renderPage({ status: 429, language, title: texts.tooOften.title, icon: "problem", headers, content });
      }
      case "not-needed":
        return unusableLinkPage(code, visit);
      default:
        return outcome satisfies never;
    }
  }

  function delayUntil(at: Date, { language }: Visit): string {
    return formatDelay(secondsUntil(at, clock()), language);
  }
}
