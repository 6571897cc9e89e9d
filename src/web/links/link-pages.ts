import type { FoundCode } from "../../codes/find-code.ts";
import type { CodeKind } from "../../codes/kinds.ts";
import { nextSendAt } from "../../codes/replace-limits.ts";
import { type Html, html } from "../../html.ts";
import type { PageLanguage, TitledText } from "../../texts/page-language.ts";
import { fillIn, type TextWith } from "../../texts/placeholders.ts";
import { isUnfinished, requestNewCode } from "../../users/change/request-new-code.ts";
import { formatDelay, secondsUntil } from "../frame/format-time.ts";
import { notePage } from "../frame/note.ts";
import type { PageResponse, PageRoute, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import type { LinkParts } from "./link-parts.ts";
import { type LinkSteps, linkRoute, redirectToLink } from "./open-link.ts";

/** The value of the `do` button in the form that requests a new code. */
const SEND_CODE = "send";

/** The differences between the links that verify an address or a number. */
export interface CodeLink {
  readonly kind: CodeKind;
  /** The path to which forms are posted. */
  readonly path: string;
  readonly channel: "email" | "sms";
  readonly texts: "init" | "phone";
  /** How a text refers to the recipient of a new code. */
  readonly describeRecipient: (code: FoundCode, language: PageLanguage) => string;
}

/**
 * The route of such a link.
 *
 * @param steps `show` and `submit` handle what is not about a new code, or a recipient that is taken.
 * @param send Sends a new code.
 */
export function codeRoute(link: CodeLink, { show, submit }: LinkSteps, send = sendNewCode): PageRoute<LinkParts> {
  return linkRoute(link.kind, {
    show: (parts, code, visit) =>
      findSendResult(parts, link, code, visit) ?? findTakenPage(link.texts, code, visit) ?? show(parts, code, visit),
    submit: (parts, code, visit, form) =>
      form.get("do") === SEND_CODE ? send(parts, link, code, visit) : submit(parts, code, visit, form),
  });
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
  const texts = language.texts.links[link.texts];
  if (!isUnfinished(code) && code.state !== "outdated") {
    return notePage(language, texts.finished, { status: 410, icon: "done", next: signInLink(language, code.orgId) });
  }
  // The holder of an outdated link may be another person, and must not learn the organization.
  const next =
    code.state === "outdated" ? signInLink(language, undefined) : newCodeForm(parts, link, code, visit, "only");
  const reason = explanation ?? (code.state === "valid" ? texts.used : texts[code.state]);
  return notePage(language, reason, { status: 410, icon: "problem", next });
}

/** The value of the parameter `error` for an address or a number that is the user name of another user. */
export const TAKEN = "taken";

/** The page for such an address or number, unless the code is no longer valid. */
export function findTakenPage(kind: CodeLink["texts"], code: FoundCode, visit: Visit): PageResponse | undefined {
  if (code.state !== "valid" || visit.request.query.get("error") !== TAKEN) return undefined;
  const { language } = visit;
  return notePage(language, language.texts.links[kind].taken, { status: 409, icon: "problem" });
}

/**
 * The form that requests a new code, or a sentence that explains why none can be sent now.
 *
 * @param role Whether it is the only form on the page, or follows another one.
 */
export function newCodeForm(
  { outbox, clock }: LinkParts,
  { path, channel, texts: kind, describeRecipient }: CodeLink,
  code: FoundCode,
  { language }: Visit,
  role: "only" | "other",
): Html {
  const texts = language.texts.links[kind];
  const canSend = channel === "sms" ? outbox.sendsSms : outbox.sendsEmail;
  const paragraph = (text: string) => (role === "only" ? html`<p>${text}</p>` : html`<p class="small">${text}</p>`);
  if (!canSend) return paragraph(texts.contactAdministrator);
  const nextAt = nextSendAt(code, clock());
  if (nextAt !== undefined)
    return paragraph(fillIn(texts.tooOften.text, { delay: formatDelay(secondsUntil(nextAt, clock()), language) }));
  return html`<form class="${role}" method="post" action="${path}">
<input type="hidden" name="code" value="${code.text}">
${paragraph(fillIn(texts.sendOffer, { recipient: describeRecipient(code, language) }))}
<button${role === "other" && html` class="secondary"`} name="do" value="${SEND_CODE}">${texts.send}</button>
</form>`;
}

/** The page after a request for a new code; undefined without one, or once the user has nothing left to do. */
function findSendResult(parts: LinkParts, link: CodeLink, code: FoundCode, visit: Visit): PageResponse | undefined {
  const sent = visit.request.query.get("sent");
  if (sent === null || code.state === "outdated" || !isUnfinished(code)) return undefined;
  if (sent === "yes") return code.state === "replaced" ? sentPage(parts, link, code, visit) : undefined;
  const hours = sent === "hour" ? 1 : sent === "day" ? 24 : undefined;
  const { tooOften } = visit.language.texts.links[link.texts];
  if (hours !== undefined) return tooOftenPage(tooOften, hours * 3_600, visit);
  const nextAt = nextSendAt(code, parts.clock());
  return nextAt && tooOftenPage(tooOften, secondsUntil(nextAt, parts.clock()), visit);
}

/** Says that a new code was sent, and when the next one can be requested. */
function sentPage(parts: LinkParts, link: CodeLink, code: FoundCode, visit: Visit): PageResponse {
  const { language } = visit;
  const { sent } = language.texts.links[link.texts];
  const nextAt = nextSendAt(code, parts.clock());
  const again = nextAt && fillIn(sent.again, { delay: formatDelay(secondsUntil(nextAt, parts.clock()), language) });
  const next =
    again === undefined ? newCodeForm(parts, link, code, visit, "other") : html`<p class="small">${again}</p>`;
  const text = fillIn(sent.text, { recipient: link.describeRecipient(code, language) });
  return notePage(language, { title: sent.title, text }, { icon: "done", next });
}

/** @param texts Say when the user may try again. */
export function tooOftenPage(
  { title, text }: { readonly title: string; readonly text: TextWith<"delay"> },
  retrySeconds: number,
  { language }: Visit,
): PageResponse {
  const texts = { title, text: fillIn(text, { delay: formatDelay(retrySeconds, language) }) };
  const headers = { "retry-after": String(retrySeconds) };
  return notePage(language, texts, { status: 429, icon: "problem", headers });
}

/** Sends a new code, and redirects to the page that says so. */
export async function sendNewCode(
  parts: LinkParts,
  link: CodeLink,
  code: FoundCode,
  visit: Visit,
): Promise<PageResponse> {
  const outcome = await requestNewCode(parts, code, visit.caller);
  switch (outcome.kind) {
    case "sent":
      return redirectToLink(parts, link.path, code, { sent: "yes" });
    case "too-often":
      return redirectToLink(parts, link.path, code, { sent: "no" });
    case "limited":
      return redirectToLink(parts, link.path, code, { sent: outcome.limit.of === "organization" ? "hour" : "day" });
    case "not-needed":
      return redirectToLink(parts, link.path, code);
    default:
      return outcome satisfies never;
  }
}
