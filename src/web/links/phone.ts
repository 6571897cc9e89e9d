import { attemptsLeft, nextAttemptAt } from "../../codes/attempts.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { verifyPhone } from "../../users/change/verify-phone.ts";
import { secondsUntil } from "../frame/format-delay.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import {
  type CodeLink,
  findSendResult,
  findTakenPage,
  newCodeForm,
  SEND_CODE,
  sendNewCode,
  TAKEN,
  unusableLinkPage,
} from "./link-pages.ts";
import type { LinkParts } from "./link-parts.ts";
import { linkRoute, redirectToLink } from "./open-link.ts";
import { lastDigits, PHONE_PATH, phoneDonePage, phonePage, tooManyPage } from "./phone-page.ts";

const LINK: CodeLink = {
  path: PHONE_PATH,
  channel: "sms",
  texts: "phone",
  describeRecipient: ({ user }, language) =>
    fillIn(language.texts.links.phone.endingIn, { digits: lastDigits(user.phone ?? "") }),
};

/** `/ui/phone`: the link of the SMS. Its six digits verify the number (docs/pages.md). */
export const PHONE_ROUTES: PageRoutes<LinkParts> = {
  [PHONE_PATH]: linkRoute("phone", { show, submit }),
};

/** The values of the parameter `error`. */
const DIGIT_ERRORS = ["malformed", "wrong"] as const;

async function submit(parts: LinkParts, code: FoundCode, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  if (form.get("do") === SEND_CODE) return await send(parts, code, visit);
  return await verify(parts, code, visit, form.get("digits") ?? "");
}

function show(parts: LinkParts, code: FoundCode, visit: Visit): PageResponse {
  const { clock } = parts;
  const { query } = visit.request;
  if (code.state === "used" && code.user.phoneVerified && query.has("done")) return phoneDonePage(code, visit);
  const sendResult = findSendResult(parts, LINK, code, visit);
  if (sendResult !== undefined) return sendResult;
  const takenPage = findTakenPage(LINK.texts, code, visit);
  if (takenPage !== undefined) return takenPage;
  if (code.state === "outdated" || code.state === "blocked" || code.user.phoneVerified) {
    return unusableLinkPage(parts, LINK, code, visit);
  }
  const nextAt = nextAttemptAt(code, clock());
  if (nextAt !== undefined) return tooManyPage(visit, secondsUntil(nextAt, clock()));
  if (code.state !== "valid") return unusableLinkPage(parts, LINK, code, visit);
  if (attemptsLeft(code) === 0)
    return unusableLinkPage(parts, LINK, code, visit, visit.language.texts.links.phone.ended);
  const error = DIGIT_ERRORS.find((known) => known === query.get("error"));
  return phonePage(code, visit, { error, newCodeForm: newCodeForm(parts, LINK, code, visit, "other") });
}

async function verify(parts: LinkParts, code: FoundCode, visit: Visit, entered: string): Promise<PageResponse> {
  const digits = parseDigits(entered);
  if (digits === undefined) return redirectToLink(parts, PHONE_PATH, code, { error: "malformed" });
  const outcome = await verifyPhone(parts, code, digits, visit.caller);
  switch (outcome.kind) {
    case "verified":
      return redirectToLink(parts, PHONE_PATH, code, { done: "confirmed" });
    case "taken":
      return redirectToLink(parts, PHONE_PATH, code, { error: TAKEN });
    case "refused":
      return redirectToLink(parts, PHONE_PATH, code);
    case "wrong":
      // The page says if the address is now blocked.
      await parts.limit.countFailure(visit.request.address, visit.caller);
      return redirectToLink(parts, PHONE_PATH, code, { error: "wrong" });
    default:
      return outcome satisfies never;
  }
}

/** Sends no new code while the user has no attempts left. */
async function send(parts: LinkParts, code: FoundCode, visit: Visit): Promise<PageResponse> {
  const nextAt = nextAttemptAt(code, parts.clock());
  return nextAt === undefined ? await sendNewCode(parts, LINK, code, visit) : redirectToLink(parts, PHONE_PATH, code);
}

/** Six digits, which may be separated by spaces and dashes; undefined for any other text. */
function parseDigits(entered: string): string | undefined {
  const digits = entered.replace(/[\s\p{Dash_Punctuation}]/gu, "");
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}
