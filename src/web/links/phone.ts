import { attemptsLeft, nextAttemptAt } from "../../codes/attempts.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { verifyPhone } from "../../users/verify-phone.ts";
import { secondsUntil } from "../frame/format-delay.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { type CodeLink, newCodeForm, SEND_CODE, sendNewCode, unusableLinkPage } from "./link-pages.ts";
import type { LinkParts } from "./link-parts.ts";
import { openLink } from "./open-link.ts";
import { lastDigits, PHONE_PATH, phoneDonePage, phonePage, tooManyPage } from "./phone-page.ts";
import { PHONE_TEXTS } from "./texts/phone-texts.ts";

const LINK: CodeLink = {
  path: PHONE_PATH,
  channel: "sms",
  texts: PHONE_TEXTS,
  describeRecipient: ({ user }, language) => PHONE_TEXTS[language].endingIn(lastDigits(user.phone ?? "")),
};

/** `/ui/phone`: the link of the SMS. Its six digits verify the number (docs/pages.md). */
export const PHONE_ROUTES: PageRoutes<LinkParts> = { [PHONE_PATH]: { get: open, postForm: submit } };

async function open(parts: LinkParts, visit: Visit): Promise<PageResponse> {
  const link = await openLink(parts, visit, "phone", visit.request.query.get("code"));
  return link.ok ? show(parts, link.code, link.visit) : link.problem;
}

async function submit(parts: LinkParts, visit: Visit, form: URLSearchParams): Promise<PageResponse> {
  const link = await openLink(parts, visit, "phone", form.get("code"));
  if (!link.ok) return link.problem;
  if (form.get("do") === SEND_CODE) return await send(parts, link.code, link.visit);
  return await verify(parts, link.code, link.visit, form.get("digits") ?? "");
}

function show(parts: LinkParts, code: FoundCode, visit: Visit, error?: "malformed" | "wrong"): PageResponse {
  const { clock } = parts;
  if (code.state === "outdated" || code.state === "blocked" || code.user.phoneVerified) {
    return unusableLinkPage(parts, LINK, code, visit);
  }
  const nextAt = nextAttemptAt(code, clock());
  if (nextAt !== undefined) return tooManyPage(visit, secondsUntil(nextAt, clock()));
  if (code.state !== "valid") return unusableLinkPage(parts, LINK, code, visit);
  if (attemptsLeft(code) === 0) return unusableLinkPage(parts, LINK, code, visit, PHONE_TEXTS[visit.language].ended);
  return phonePage(code, visit, { error, newCodeForm: newCodeForm(parts, LINK, code, visit, "other") });
}

async function verify(parts: LinkParts, code: FoundCode, visit: Visit, entered: string): Promise<PageResponse> {
  const digits = parseDigits(entered);
  if (digits === undefined) return show(parts, code, visit, "malformed");
  const outcome = await verifyPhone(parts, code, digits, visit.caller);
  switch (outcome.kind) {
    case "verified":
      return phoneDonePage(code, visit);
    case "refused":
      return show(parts, outcome.code, visit);
    case "wrong": {
      const retrySeconds = await parts.limit.countFailure(visit.request.address, visit.caller);
      if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
      return show(parts, outcome.code, visit, "wrong");
    }
    default:
      return outcome satisfies never;
  }
}

/** Sends no new code while the user has no attempts left. */
async function send(parts: LinkParts, code: FoundCode, visit: Visit): Promise<PageResponse> {
  const nextAt = nextAttemptAt(code, parts.clock());
  return nextAt === undefined ? await sendNewCode(parts, LINK, code, visit) : show(parts, code, visit);
}

/** Six digits, which may be separated by spaces and dashes; undefined for any other text. */
function parseDigits(entered: string): string | undefined {
  const digits = entered.replace(/[\s\p{Dash_Punctuation}]/gu, "");
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}
