import { LONGEST_PASSWORD } from "../../passwords/policy.ts";
import { changePassword } from "../../sign-in/change-password.ts";
import { checkOneTimeCode } from "../../sign-in/check-one-time-code.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { withOneTimeCode } from "../../sign-in/gates.ts";
import { declinePasskey } from "../../sign-in/passkey-offer.ts";
import { lacksOwnProof } from "../../sign-in/proof.ts";
import { readDeviceCookie } from "../frame/device-cookie.ts";
import type { PageResponse } from "../frame/page.ts";
import { checkNewPassword, type RefusedPassword } from "../links/new-password-fields.ts";
import { askAgain, askForOwnProof } from "./first-page.ts";
import { toGateForm } from "./gate-form.ts";
import { addressPage, newPasswordPage, SEND_LINK } from "./gate-pages.ts";
import { openGate, proceed } from "./gates.ts";
import { type CodeProblem, oneTimeCodePage } from "./one-time-code-page.ts";
import { addPasskey, isPasskeyOfferDue } from "./passkey-offer.ts";
import { ADD, LATER } from "./passkey-offer-pages.ts";
import { reportCheck } from "./report-check.ts";
import { resendLink } from "./resend-link.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { tooOften } from "./too-often.ts";

/** Sends another link to the user's address, or explains that the address is not verified yet. */
export async function verifyAddress(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const gate = await openGate(parts, visit, "verify-address", form);
  if (!gate.ok) return gate.page;
  const { user, proved } = gate;
  if (form.get("do") === SEND_LINK) return await resendLink(parts, visit, user, proved);
  const canSend = parts.outbox.sendsEmail;
  return addressPage(visit, user, { ...toGateForm(parts, visit, user, proved), canSend, isTooEarly: true });
}

/** Verifies a one-time code, or a recovery code. */
export async function verifyOneTimeCode(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const gate = await openGate(parts, visit, "one-time-code", form);
  if (!gate.ok) return gate.page;
  const { user, proved } = gate;
  const { request, language, caller } = visit;
  const recovery = form.get("recovery");
  const texts = language.texts.signIn.oneTimeCode;
  const attempt = {
    code: recovery ?? form.get("code") ?? "",
    address: request.address,
    deviceCookie: readDeviceCookie(parts, visit),
  };
  const check = checkOneTimeCode(parts, user, attempt, caller);
  const outcome = await reportCheck(parts.metrics, "one_time_code", check);
  const refuse = (problem: Omit<CodeProblem, "isRecovery">) => {
    const refused = { ...problem, isRecovery: recovery !== null };
    return oneTimeCodePage(visit, user, { ...toGateForm(parts, visit, user, proved), problem: refused });
  };
  switch (outcome.kind) {
    case "failed":
      return refuse({ status: 422, text: recovery === null ? texts.wrong : texts.recovery.wrong });
    case "too-often":
      return refuse(tooOften(outcome.retrySeconds, language));
    case "proved":
      return await proceed(parts, visit, outcome.user, { ...proved, methods: withOneTimeCode(proved.methods) });
    default:
      return outcome satisfies never;
  }
}

/** Replaces a password that must be changed. */
export async function setNewPassword(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const gate = await openGate(parts, visit, "change-password", form);
  if (!gate.ok) return gate.page;
  const { user, proved } = gate;
  if (lacksOwnProof(proved, user)) return askForOwnProof(parts, visit);
  const password = form.get("password") ?? "";
  const refused =
    checkNewPassword(parts.config, user, password, form.get("repeat") ?? "") ??
    (await findUnchanged(parts, visit, user, password));
  if (refused !== undefined) {
    return newPasswordPage(visit, user, { ...toGateForm(parts, visit, user, proved), refused });
  }
  const kept = { signInId: visit.signIn.id };
  const changed = await changePassword(parts, user, password, kept, visit.caller);
  return changed === undefined ? askAgain(parts, visit) : await proceed(parts, visit, changed, proved);
}

async function findUnchanged(
  { config, passwords }: SignInParts,
  { caller }: SignInVisit,
  { orgId, passwordHash }: SignInUser,
  password: string,
): Promise<RefusedPassword | undefined> {
  const turn = { kind: "page", orgId } as const;
  const { matches } = await passwords.verify(password, passwordHash, { turn, ...caller });
  return matches ? { error: "unchanged", longestPassword: LONGEST_PASSWORD[config.passwordHash] } : undefined;
}

/** Lets the user add a passkey, or continues without one. */
export async function answerPasskeyOffer(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const gate = await openGate(parts, visit, undefined, form);
  if (!gate.ok) return gate.page;
  const { user, proved } = gate;
  const answer = form.get("do");
  const isDue = await isPasskeyOfferDue(parts, visit, user, proved);
  if (answer === ADD && isDue) return await addPasskey(parts, visit, user, toGateForm(parts, visit, user, proved));
  if (answer === LATER && isDue) {
    visit.caller.throwIfOver();
    await declinePasskey(parts, user);
  }
  return await proceed(parts, visit, user, proved);
}
