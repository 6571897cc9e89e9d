import { type Html, html } from "../../html.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { nextAddressLinkAt } from "../../sign-in/next-address-link.ts";
import type { Proved } from "../../sign-in/proof.ts";
import { type AddressLinkOutcome, sendAddressLink } from "../../sign-in/send-address-link.ts";
import { problemParagraph } from "../account/notice.ts";
import { formatDelay, secondsUntil } from "../frame/format-delay.ts";
import type { PageResponse } from "../frame/page.ts";
import { toGateForm } from "./gate-form.ts";
import { type AddressAnswer, addressPage } from "./gate-pages.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** After this time, links to an address are no longer counted. */
const DAY_SECONDS = 24 * 3_600;

/** Sends another link, for which the user has asked. The page says whether it was sent, and when the next one can be. */
export async function resendLink(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
): Promise<PageResponse> {
  const form = toGateForm(parts, visit, user, proved);
  if (!parts.outbox.sendsEmail) return addressPage(visit, user, { ...form, canSend: false });
  const outcome = await sendAddressLink(parts, user);
  const nextAt = await nextAddressLinkAt(parts, user, visit.caller);
  const retrySeconds = nextAt && secondsUntil(nextAt, parts.clock());
  return addressPage(visit, user, { ...form, canSend: true, answer: toAnswer(visit, outcome, retrySeconds) });
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
      return { status: 200, content: sentParagraph(sent.title, delay === "" ? "" : sent.again(delay)) };
    case "limited":
      return refuse(language.texts.accountForms.email.recipientTooOften, DAY_SECONDS);
    case "not-sent":
      // Otherwise, the user has changed in another way, and can ask again.
      return retrySeconds === undefined ? undefined : refuse(tooOften.text(delay), retrySeconds);
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
