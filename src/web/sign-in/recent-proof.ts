import { timingSafeEqual } from "node:crypto";
import { createDigits } from "../../codes/digits.ts";
import { createSealedValues } from "../../crypto/sealed-values.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { SIGN_IN_CODE_SECONDS } from "../../messages/sign-in-code-message.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { type Proved, withRecentProof } from "../../sign-in/proof.ts";
import { sendSignInCode } from "../../sign-in/send-sign-in-code.ts";
import { readDeviceCookie } from "../frame/device-cookie.ts";
import type { PageResponse } from "../frame/page.ts";
import { toGateForm } from "./gate-form.ts";
import { openGate, proceed } from "./gates.ts";
import { askForCode, type CodePageProblem, codePage, SEND_CODE } from "./recent-proof-pages.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";
import { tooOften } from "./too-often.ts";

/** A code in a form. It belongs to one user in one sign-in, which ends once the code has been entered. */
const SEALED_CODES = createSealedValues<{ readonly userId: string; readonly email: string; readonly digits: string }>({
  table: "sign-in",
  column: "emailed-code",
  validSeconds: SIGN_IN_CODE_SECONDS,
});

const HOUR_SECONDS = 3_600;

/** Sends a code to the address of a user whose sign-in at a provider may be too old, or verifies it. */
export async function submitRecentProof(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const gate = await openGate(parts, visit, "recent-proof", form);
  if (!gate.ok) return gate.page;
  const { user, proved } = gate;
  if (!parts.outbox.sendsEmail) return askForCode(parts, visit, user, proved);
  if (form.get("do") === SEND_CODE) return await sendCode(parts, visit, user, proved);
  const sent = form.get("sent") ?? "";
  const code = SEALED_CODES.open(parts, visit.signIn.id, sent);
  const { wrong } = visit.language.texts.signIn.recentProof;
  const isStillOf = code?.userId === user.id && code.email === user.email;
  if (code === undefined || !isStillOf) return askForCode(parts, visit, user, proved, { status: 422, text: wrong });
  return await verifyCode(parts, visit, user, proved, { entered: form.get("code") ?? "", digits: code.digits, sent });
}

async function sendCode(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
): Promise<PageResponse> {
  visit.caller.throwIfOver();
  const { id: userId, email } = user;
  const digits = createDigits();
  const isSent = await sendSignInCode(parts, user, digits, visit.caller);
  if (!isSent) return askForCode(parts, visit, user, proved, tooOften(HOUR_SECONDS, visit.language));
  const sent = SEALED_CODES.seal(parts, visit.signIn.id, { userId, email, digits });
  return sentPage(parts, visit, user, proved, sent);
}

/** Counts each attempt like one with a one-time code, so that nobody can try all codes. */
async function verifyCode(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
  { entered, digits, sent }: { readonly entered: string; readonly digits: string; readonly sent: string },
): Promise<PageResponse> {
  const { request, language, caller } = visit;
  const account = { orgId: user.orgId, nameKey: userNameKey(user.userName) };
  const device = parts.knownDevices.find(readDeviceCookie(parts, visit), account, ["sign-in"]);
  const attempt = { kind: "one-time-code", ...account, address: request.address, device } as const;
  const admission = await parts.attemptLimit.admit(attempt, caller);
  if (!admission.ok) return sentPage(parts, visit, user, proved, sent, tooOften(admission.retrySeconds, language));
  const given = Buffer.from(entered.replaceAll(/[-\s]/g, ""));
  const right = Buffer.from(digits);
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    const { wrong } = language.texts.signIn.recentProof;
    return sentPage(parts, visit, user, proved, sent, { status: 422, text: wrong });
  }
  await parts.attemptLimit.forgive(attempt);
  return await proceed(parts, visit, user, withRecentProof(proved, parts.clock()));
}

function sentPage(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
  sent: string,
  problem?: CodePageProblem,
): PageResponse {
  const text = visit.language.texts.signIn.recentProof.sent(user.email);
  return codePage(visit, user, { ...toGateForm(parts, visit, user, proved), text, sent, problem });
}
