import { attemptsLeft, nextAttemptAt } from "../../codes/attempts.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { requestNewCode } from "../../users/request-new-code.ts";
import { verifyPhone } from "../../users/verify-phone.ts";
import type { PageResponse, PageRoutes, Visit } from "../frame/page.ts";
import { problemPage } from "../frame/problem-page.ts";
import { secondsUntil } from "../frame/when-to-try.ts";
import { createLinkPages, SEND } from "./link-pages.ts";
import { lastDigits, PHONE_PATH, phoneDonePage, phonePage, tooManyPage } from "./phone-page.ts";
import type { RoutesContext } from "./routes-context.ts";
import { PHONE_TEXTS } from "./texts/phone-texts.ts";

/** `/ui/phone`: the link of the SMS, where its six digits verify the number (docs/pages.md). */
export function createPhoneRoutes(context: RoutesContext): PageRoutes {
  const { clock, limit, openLink, outbox } = context;
  const { overPage, sendNewCode, sendForm } = createLinkPages({
    path: PHONE_PATH,
    clock,
    sends: outbox.sendsSms,
    requestNewCode: (code) => requestNewCode(context, code),
    textsOf: ({ language }) => PHONE_TEXTS[language],
    toName: ({ user }, { language }) => PHONE_TEXTS[language].endingIn(lastDigits(user.phone ?? "")),
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
        if (form.get("do") === SEND) return send(link.code, link.visit);
        return verify(link.code, link.visit, form.get("digits") ?? "");
      },
    },
  };

  function show(code: FoundCode, visit: Visit, error?: "malformed" | "wrong"): PageResponse {
    const texts = PHONE_TEXTS[visit.language];
    if (code.state === "outdated" || code.user.phoneVerified) return overPage(code, visit);
    const nextAt = nextAttemptAt(code, clock());
    if (nextAt !== undefined) return tooManyPage(visit, secondsUntil(nextAt, clock()));
    if (code.state !== "valid") return overPage(code, visit);
    if (attemptsLeft(code) === 0) return overPage(code, visit, texts.ended);
    return phonePage(code, visit, { error, sendForm: sendForm(code, visit, "other") });
  }

  async function verify(code: FoundCode, visit: Visit, entered: string): Promise<PageResponse> {
    const digits = toDigits(entered);
    if (digits === undefined) return show(code, visit, "malformed");
    const outcome = await verifyPhone(context, code, digits);
    switch (outcome.kind) {
      case "verified":
        return phoneDonePage(visit);
      case "refused":
        return show(outcome.code, visit);
      case "wrong": {
        const retrySeconds = await limit.count(visit.request.address);
        if (retrySeconds !== undefined) return problemPage("too-many", visit, { retrySeconds });
        return show(outcome.code, visit, "wrong");
      }
      default:
        return outcome satisfies never;
    }
  }

  /** A new code that could not be tried today would be of no use. */
  async function send(code: FoundCode, visit: Visit): Promise<PageResponse> {
    const nextAt = nextAttemptAt(code, clock());
    return nextAt === undefined ? sendNewCode(code, visit) : show(code, visit);
  }
}

/** Six digits, between which people and phones put spaces and dashes. */
function toDigits(entered: string): string | undefined {
  const digits = entered.replace(/[\s\p{Dash_Punctuation}]/gu, "");
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}
