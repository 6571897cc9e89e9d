import { type Html, html } from "../../html.ts";
import { type AddressLinkOutcome, nextAddressLinkAt, sendAddressLink } from "../../sign-in/address-link.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { formatDelay, secondsUntil } from "../frame/format-time.ts";
import { problemParagraph } from "../frame/notice.ts";
import type { PageHeaders, PageResponse } from "../frame/page.ts";
import { gateFields } from "./gate-form.ts";
import type { GateStep, ProvedUser, SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { stepPage } from "./step-page.ts";
import { stepPath } from "./steps.ts";

const SEND_LINK = "send";

/** After this time, links to an address are no longer counted. */
const DAY_SECONDS = 24 * 3_600;

/** The page for a user whose address is not verified, after a link was sent to it if possible. */
export async function askForAddress(parts: SignInParts, visit: SignInVisit, at: ProvedUser): Promise<PageResponse> {
  if (parts.outbox.sendsEmail) await sendAddressLink(parts, at.user);
  return addressPage(parts, visit, at);
}

/** Sends another link to the user's address, or explains that the address is not verified yet. */
export const verifyAddress: GateStep["answer"] = async (parts, visit, at, form) => {
  const { user } = at;
  if (form.get("do") !== SEND_LINK) return addressPage(parts, visit, at, { isTooEarly: true });
  if (!parts.outbox.sendsEmail) return addressPage(parts, visit, at);
  const outcome = await sendAddressLink(parts, user);
  const nextAt = await nextAddressLinkAt(parts, user, visit.caller);
  const retrySeconds = nextAt && secondsUntil(nextAt, parts.clock());
  return addressPage(parts, visit, at, { answer: toAnswer(visit, outcome, retrySeconds) });
};

/** What has happened after a user has asked for another link. */
interface AddressAnswer {
  readonly status: number;
  readonly headers?: PageHeaders;
  readonly content: Html;
}

/** @param retrySeconds Until the next link can be sent; undefined if immediately. */
function toAnswer(
  { language }: SignInVisit,
  outcome: AddressLinkOutcome,
  retrySeconds: number | undefined,
): AddressAnswer | undefined {
  const { sent, tooOften } = language.texts.links.init;
  const delay = retrySeconds === undefined ? "" : formatDelay(retrySeconds, language);
  switch (outcome) {
    case "sent":
      return { status: 200, content: sentParagraph(sent.title, delay === "" ? "" : fillIn(sent.again, { delay })) };
    case "limited":
      return refuse(language.texts.accountForms.email.recipientTooOften, DAY_SECONDS);
    case "not-sent":
      // Otherwise, the user has changed in another way, and can ask again.
      return retrySeconds === undefined ? undefined : refuse(fillIn(tooOften.text, { delay }), retrySeconds);
    default:
      return outcome satisfies never;
  }
}

function refuse(text: string, retrySeconds: number): AddressAnswer {
  return { status: 429, headers: { "retry-after": String(retrySeconds) }, content: problemParagraph(text) };
}

function sentParagraph(text: string, again: string): Html {
  return html`<p class="notice good" role="status"><strong>${text}</strong>${again !== "" && html`<br>${again}`}</p>`;
}

interface AddressForm {
  /** Whether the user wants to continue, although the address is not verified yet. */
  readonly isTooEarly?: true;
  readonly answer?: AddressAnswer | undefined;
}

function addressPage(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  { isTooEarly, answer }: AddressForm = {},
): PageResponse {
  const { signIn, language } = visit;
  const { email } = at.user;
  const canSend = parts.outbox.sendsEmail;
  const { address } = language.texts.signIn;
  return stepPage(language, {
    status: answer?.status ?? (isTooEarly ? 422 : 200),
    title: address.title,
    ...(answer?.headers && { headers: answer.headers }),
    content: html`${answer?.content}
<p>${canSend ? fillIn(address.sent, { email }) : fillIn(address.cannotSend, { email })}</p>
<p>${address.next}</p>
${isTooEarly && html`<p class="error" role="alert">${address.notYet}</p>`}
<form method="post" action="${stepPath(signIn, "verify-address")}">
${gateFields(parts, visit, at)}
<button>${address.submit}</button>
${canSend && html`<button class="secondary" name="do" value="${SEND_LINK}">${address.sendAgain}</button>`}
</form>`,
  });
}
