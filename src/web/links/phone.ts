import { attemptsLeft, nextAttemptAt } from "../../codes/attempts.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { requestNewCode } from "../../users/request-new-code.ts";
import { verifyPhone } from "../../users/verify-phone.ts";
import { secondsUntil } from "../frame/format-delay.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { createLinkPages, SEND_CODE } from "./link-pages.ts";
import { lastDigits, PHONE_PATH, phoneDonePage, phonePage, tooManyPage } from "./phone-page.ts";
import type { RoutesContext } from "./routes-context.ts";
import { PHONE_TEXTS } from "./texts/phone-texts.ts";

/** `/ui/phone`: the link of the SMS. Its six digits verify the number (docs/pages.md). */
export function createPhoneRoutes(context: RoutesContext): PageRoutes {
  const { clock, limit, openLink, outbox } = context;
  const { unusableLinkPage, sendNewCode, newCodeForm } = createLinkPages({
    path: PHONE_PATH,
    clock,
    canSend: outbox.sendsSms,
    requestNewCode: (code, { caller }) => requestNewCode({ ...context, caller }, code),
    textsOf: ({ language }) => PHONE_TEXTS[language],
    describeRecipient: ({ user }, { language }) => PHONE_TEXTS[language].endingIn(lastDigits(user.phone ?? "")),
  });

  return {
    [PHONE_PATH]: {
      async get(visit) {
        const link = await openLink(visit, "phone", visit.request.query.get("code"));
        return link.ok ? show(link.code, link.visit) : link.problem;
      },
      async postForm(visit, form) {
        const link = await openLink(visit, "phone", form.get("code"));
        if (!link.ok) return link.problem;
        if (form.get("do") === SEND_CODE) return send(link.code, link.visit);
        return verify(link.code, link.visit, form.get("digits") ?? "");
      },
    },
  };

  function show(code: FoundCode, visit: Visit, error?: "malformed" | "wrong"): PageResponse {
    const texts = PHONE_TEXTS[visit.language];
    if (code.state === "outdated" || code.state === "blocked" || code.user.phoneVerified)
      return unusableLinkPage(code, visit);
    const nextAt = nextAttemptAt(code, clock());
    if (nextAt !== undefined) return tooManyPage(visit, secondsUntil(nextAt, clock()));
    if (code.state !== "valid") return unusableLinkPage(code, visit);
    if (attemptsLeft(code) === 0) return unusableLinkPage(code, visit, texts.ended);
    return phonePage(code, visit, { error, newCodeForm: newCodeForm(code, visit, "other") });
  }

  async function verify(code: FoundCode, visit: Visit, entered: string): Promise<PageResponse> {
    const digits = parseDigits(entered);
    if (digits === undefined) return show(code, visit, "malformed");
    const outcome = await verifyPhone({ ...context, caller: visit.caller }, code, digits);
    switch (outcome.kind) {
      case "verified":
        return phoneDonePage(code, visit);
      case "refused":
        return show(outcome.code, visit);
      case "wrong": {
        const retrySeconds = await limit.countFailure(visit.request.address, visit.caller);
        if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
        return show(outcome.code, visit, "wrong");
      }
      default:
        return outcome satisfies never;
    }
  }

  /** Sends no new code while the user has no attempts left. */
  async function send(code: FoundCode, visit: Visit): Promise<PageResponse> {
    const nextAt = nextAttemptAt(code, clock());
    return nextAt === undefined ? sendNewCode(code, visit) : show(code, visit);
  }
}

/** Six digits, which may be separated by spaces and dashes; undefined for any other text. */
function parseDigits(entered: string): string | undefined {
  const digits = entered.replace(/[\s\p{Dash_Punctuation}]/gu, "");
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}
