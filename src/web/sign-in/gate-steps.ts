import { networkOf } from "../../http/network-of.ts";
import { LONGEST_PASSWORD } from "../../passwords/policy.ts";
import { changePassword } from "../../sign-in/change-password.ts";
import { checkOneTimeCode } from "../../sign-in/check-one-time-code.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { withOneTimeCode } from "../../sign-in/gates.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { createCheckNewPassword, type RefusedPassword } from "../links/new-password-fields.ts";
import { addressPage, newPasswordPage, SEND_LINK } from "./gate-pages.ts";
import { type CodeProblem, oneTimeCodePage } from "./one-time-code-page.ts";
import { createPasskeyOffer } from "./passkey-offer.ts";
import { reportCheck } from "./report-check.ts";
import type { SignInContext, SignInStep } from "./sign-in-context.ts";
import type { SignInRequest } from "./sign-in-requests.ts";
import type { StepOptions } from "./step-options.ts";
import { ONE_TIME_CODE_TEXTS } from "./texts/one-time-code-texts.ts";
import { tooOften } from "./too-often.ts";

/** The forms of the gates, and of the passkey offer after them (docs/sign-in.md). */
export function createGateSteps(
  context: SignInContext,
  { gates, askAgain }: Pick<StepOptions, "gates" | "askAgain">,
): Record<"address" | "oneTimeCode" | "newPassword" | "passkeyOffer", SignInStep> {
  const { config, passwords, outbox, deviceCookie, metrics } = context;
  const { atGate, afterGates, proceed, sendLink, toForm } = gates;
  const checkNewPassword = createCheckNewPassword(config);
  const passkeyOffer = createPasskeyOffer(context);

  return {
    address: { postForm: verifyAddress },
    oneTimeCode: { postForm: verifyOneTimeCode },
    newPassword: { postForm: setNewPassword },
    passkeyOffer: { postForm: answerPasskeyOffer },
  };

  async function verifyAddress(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    return await atGate("verify-address", visit, request, form, async (user, proved) => {
      if (form.get("do") === SEND_LINK) return await sendLink(visit, request, user, proved);
      const gateForm = { ...toForm(request, user, proved), canSend: outbox.sendsEmail, isTooEarly: true } as const;
      return addressPage(request, visit, user, gateForm);
    });
  }

  async function verifyOneTimeCode(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    return await atGate("one-time-code", visit, request, form, async (user, proved) => {
      const { language } = visit;
      const recovery = form.get("recovery");
      const check = checkOneTimeCode({ ...context, caller: visit.caller }, user, {
        code: recovery ?? form.get("code") ?? "",
        network: networkOf(visit.request.address),
        deviceCookie: deviceCookie.read(visit),
      });
      const outcome = await reportCheck(metrics, "one_time_code", check);
      const refuse = (problem: Omit<CodeProblem, "isRecovery">) => {
        const refused = { ...problem, isRecovery: recovery !== null };
        return oneTimeCodePage(request, visit, user, { ...toForm(request, user, proved), problem: refused });
      };
      switch (outcome.kind) {
        case "failed":
          return refuse({ status: 422, text: ONE_TIME_CODE_TEXTS[language].wrong });
        case "too-often":
          return refuse(tooOften(outcome.retrySeconds, language));
        case "proved":
          return await proceed(visit, request, outcome.user, { ...proved, methods: withOneTimeCode(proved.methods) });
        default:
          return outcome satisfies never;
      }
    });
  }

  async function answerPasskeyOffer(
    visit: Visit,
    request: SignInRequest,
    form: URLSearchParams,
  ): Promise<PageResponse> {
    return await afterGates(visit, request, form, async (user, proved) => {
      const page = await passkeyOffer.answer(visit, request, user, form, toForm(request, user, proved));
      return page ?? (await proceed(visit, request, user, proved));
    });
  }

  async function setNewPassword(visit: Visit, request: SignInRequest, form: URLSearchParams): Promise<PageResponse> {
    return await atGate("change-password", visit, request, form, async (user, proved) => {
      const password = form.get("password") ?? "";
      const refused =
        checkNewPassword(user, password, form.get("repeat") ?? "") ?? (await findUnchanged(visit, user, password));
      if (refused !== undefined) {
        return newPasswordPage(request, visit, user, { ...toForm(request, user, proved), refused });
      }
      const parts = { ...context, caller: visit.caller };
      const changed = await changePassword(parts, user, password, { signInId: request.id });
      return changed === undefined ? askAgain(visit, request) : await proceed(visit, request, changed, proved);
    });
  }

  async function findUnchanged(
    { caller }: Visit,
    { orgId, passwordHash }: SignInUser,
    password: string,
  ): Promise<RefusedPassword | undefined> {
    const turn = { kind: "page", orgId } as const;
    const { matches } = await passwords.verify(password, passwordHash, { turn, ...caller });
    return matches ? { error: "unchanged", longestPassword: LONGEST_PASSWORD[config.passwordHash] } : undefined;
  }
}
