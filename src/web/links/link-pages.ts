import type { Clock } from "../../clock.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { nextSendAt } from "../../codes/replace-limits.ts";
import { type Html, html } from "../../messages/html.ts";
import { isUnfinished, type NewCodeOutcome } from "../../users/request-new-code.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderPage } from "../frame/render-page.ts";
import { secondsUntil, whenToTry } from "../frame/when-to-try.ts";
import type { LinkTexts, Note } from "./texts/link-texts.ts";

/** The values of the button `do`, which says what a form is for. */
export const SEND = "send";

/** What the pages about a link have in common, for one kind of link. */
export interface LinkPagesOptions {
  /** Where its forms are posted. */
  readonly path: string;
  readonly clock: Clock;
  /** Whether a message can be sent at all. */
  readonly sends: boolean;
  readonly requestNewCode: (code: FoundCode) => Promise<NewCodeOutcome>;
  readonly textsOf: (visit: Visit) => LinkTexts;
  /** How a text names where a new code goes. */
  readonly toName: (code: FoundCode, visit: Visit) => string;
}

/** The pages about a link that is not to be used any more, and about a new one that takes its place. */
export function createLinkPages({ path, clock, sends, requestNewCode, textsOf, toName }: LinkPagesOptions) {
  return { overPage, sendNewCode, sendForm };

  /** For a link whose code is not valid, or of no use. A link that was right once has gone (HTTP 410). */
  function overPage(code: FoundCode, visit: Visit, because?: Note): PageResponse {
    const texts = textsOf(visit);
    const { language } = visit;
    if (!isUnfinished(code) && code.state !== "outdated") {
      const { title, text } = texts.finished;
      return renderPage({ status: 410, language, title, mood: "done", content: html`<p>${text}</p>` });
    }
    const { title, text } = because ?? (code.state === "valid" ? texts.used : texts[code.state]);
    const content = html`<p>${text}</p>
${code.state !== "outdated" && sendForm(code, visit, "only")}`;
    return renderPage({ status: 410, language, title, mood: "problem", content });
  }

  /**
   * The form by which a new code is sent; or, where it would be refused now, what the page says instead.
   *
   * @param role Whether it is the only thing to do on the page, or stands below another form.
   */
  function sendForm(code: FoundCode, visit: Visit, role: "only" | "other"): Html {
    const texts = textsOf(visit);
    const note = (text: string) => (role === "only" ? html`<p>${text}</p>` : html`<p class="small">${text}</p>`);
    if (!sends) return note(texts.askOthers);
    const nextAt = nextSendAt(code, clock());
    if (nextAt !== undefined) return note(texts.tooOften.text(when(nextAt, visit)));
    return html`<form class="${role}" method="post" action="${path}">
<input type="hidden" name="code" value="${code.text}">
${note(texts.canSend(toName(code, visit)))}
<button${role === "other" && html` class="quiet"`} name="do" value="${SEND}">${texts.send}</button>
</form>`;
  }

  async function sendNewCode(code: FoundCode, visit: Visit): Promise<PageResponse> {
    const texts = textsOf(visit);
    const { language } = visit;
    const outcome = await requestNewCode(code);
    switch (outcome.kind) {
      case "sent": {
        const content = html`<p>${texts.sent.text(toName(code, visit))}</p>`;
        return renderPage({ language, title: texts.sent.title, mood: "done", content });
      }
      case "too-often": {
        const content = html`<p>${texts.tooOften.text(when(outcome.nextAt, visit))}</p>`;
        const headers = { "retry-after": String(secondsUntil(outcome.nextAt, clock())) };
        return renderPage({ status: 429, language, title: texts.tooOften.title, mood: "problem", headers, content });
      }
      case "not-needed":
        return overPage(code, visit);
      default:
        return outcome satisfies never;
    }
  }

  function when(at: Date, { language }: Visit): string {
    return whenToTry(secondsUntil(at, clock()), language);
  }
}

/** A list of what is known of the user, as terms and descriptions. */
export function detailsList(details: readonly (readonly [term: string, description: string | Html])[]): Html {
  const known = details.filter(([, description]) => description !== "");
  return html`<dl>
${known.map(([term, description]) => html`<dt>${term}</dt>\n<dd>${description}</dd>\n`)}</dl>`;
}
