import { timingSafeEqual } from "node:crypto";
import { createDigits } from "../../../codes/digits.ts";
import { createSealedValues } from "../../../crypto/sealed-values.ts";
import { userNameKey } from "../../../fields/user-name.ts";
import { html } from "../../../html.ts";
import { SIGN_IN_CODE_SECONDS } from "../../../messages/sign-in-code-message.ts";
import { sendSignInCode } from "../../../sign-in/code/send-sign-in-code.ts";
import { withRecentProof } from "../../../sign-in/proof.ts";
import { toSignInOrigin } from "../../../sign-in/sign-in-origin.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { detailsList } from "../../frame/details-list.ts";
import { DEVICE_COOKIE } from "../../frame/device-cookie.ts";
import { field } from "../../frame/field.ts";
import type { PageResponse } from "../../frame/page.ts";
import type { SubmitProblem } from "../../frame/render-page.ts";
import { tooOften } from "../checks.ts";
import { askAgain } from "../first-page/first-page.ts";
import { findIdps } from "../first-page/idp-choice.ts";
import { gateFields } from "../gate-form.ts";
import type { GateStep, ProvedUser, SignInParts, SignInVisit, StepResult } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";
import { CODE_ATTRIBUTES } from "./one-time-code.ts";

/** A code in a form. It belongs to one user in one sign-in, which ends once the code has been entered. */
const SEALED_CODES = createSealedValues<{ readonly userId: string; readonly email: string; readonly digits: string }>({
  table: "sign-in",
  column: "emailed-code",
  validSeconds: SIGN_IN_CODE_SECONDS,
});

const SEND_CODE = "send";

const HOUR_SECONDS = 3_600;

/**
 * The page for a user whose provider has not confirmed a recent sign-in: it offers a code by email. Without a mail server,
 * the user has to sign in another way.
 */
export async function askForRecentProof(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  problem?: SubmitProblem,
): Promise<PageResponse> {
  const { idp: texts, recentProof } = visit.language.texts.signIn;
  const idps = await findIdps(parts, visit);
  const name = idps.find(({ id }) => id === at.proved.idp?.id)?.name ?? "";
  if (!parts.outbox.sendsEmail) return await askAgain(parts, visit, fillIn(texts.errors.notFresh, { name }));
  return codePage(parts, visit, at, { text: fillIn(recentProof.text, { name }), sent: undefined, problem });
}

/** Sends a code to the address of a user whose sign-in at a provider may be too old, or verifies it. */
export const submitRecentProof: GateStep["answer"] = async (parts, visit, at, form) => {
  const { user } = at;
  if (!parts.outbox.sendsEmail) return await askForRecentProof(parts, visit, at);
  if (form.get("do") === SEND_CODE) return await sendCode(parts, visit, at);
  const sent = form.get("sent") ?? "";
  const code = SEALED_CODES.open(parts, visit.signIn.id, sent);
  const { wrong } = visit.language.texts.signIn.recentProof;
  const isStillOf = code?.userId === user.id && code.email === user.email;
  if (code === undefined || !isStillOf) return await askForRecentProof(parts, visit, at, { text: wrong });
  return await verifyCode(parts, visit, at, { entered: form.get("code") ?? "", digits: code.digits, sent });
};

async function sendCode(parts: SignInParts, visit: SignInVisit, at: ProvedUser): Promise<PageResponse> {
  visit.caller.throwIfOver();
  const { id: userId, email } = at.user;
  const digits = createDigits();
  const isSent = await sendSignInCode(parts, at.user, digits, visit.caller);
  if (!isSent) return await askForRecentProof(parts, visit, at, tooOften(HOUR_SECONDS, visit.language));
  return sentPage(parts, visit, at, SEALED_CODES.seal(parts, visit.signIn.id, { userId, email, digits }));
}

/** Counts each attempt like one with a one-time code, so that nobody can try all codes. */
async function verifyCode(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  { entered, digits, sent }: { readonly entered: string; readonly digits: string; readonly sent: string },
): Promise<StepResult> {
  const { request, language, caller } = visit;
  const { user, proved } = at;
  const account = { orgId: user.orgId, nameKey: userNameKey(user.userName) };
  const device = parts.knownDevices.find(DEVICE_COOKIE.read(parts, visit), account, ["sign-in"]);
  const attempt = { kind: "one-time-code", ...account, address: request.address, device } as const;
  const admission = await parts.attemptLimit.admit(attempt, caller);
  if (!admission.ok) return sentPage(parts, visit, at, sent, tooOften(admission.retrySeconds, language));
  const given = Buffer.from(entered.replaceAll(/[-\s]/g, ""));
  const right = Buffer.from(digits);
  if (given.length !== right.length || !timingSafeEqual(given, right)) {
    const origin = toSignInOrigin(request.address, caller.userAgent);
    parts.failedSignIns.add({ orgId: user.orgId, userId: user.id, kind: "one-time-code", origin }, parts.clock());
    const { wrong } = language.texts.signIn.recentProof;
    return sentPage(parts, visit, at, sent, { text: wrong });
  }
  await parts.attemptLimit.forgive(attempt);
  return { user, proved: withRecentProof(proved, parts.clock()) };
}

function sentPage(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  sent: string,
  problem?: SubmitProblem,
): PageResponse {
  const text = fillIn(visit.language.texts.signIn.recentProof.sent, { email: at.user.email });
  return codePage(parts, visit, at, { text, sent, problem });
}

interface CodeForm {
  readonly text: string;
  /** The code that was sent, encrypted; undefined if none was. */
  readonly sent: string | undefined;
  readonly problem: SubmitProblem | undefined;
}

/** The button that sends a code, below the field for the code that was sent. */
function codePage(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  { text, sent, problem }: CodeForm,
): PageResponse {
  const { signIn, language } = visit;
  const { recentProof, oneTimeCode, userName } = language.texts.signIn;
  return stepPage(language, {
    title: recentProof.title,
    problem,
    content: html`<p>${text}</p>
${detailsList([[userName, at.user.userName]])}
${problem !== undefined && sent === undefined && html`<p class="error" role="alert">${problem.text}</p>`}
<form method="post" action="${stepPath(signIn, "recent-proof")}">
${gateFields(parts, visit, at)}
${
  sent !== undefined &&
  html`<input type="hidden" name="sent" value="${sent}">
${field({
  name: "code",
  label: recentProof.code,
  error: problem?.text,
  attributes: html`${CODE_ATTRIBUTES} required autofocus`,
})}
<button>${oneTimeCode.submit}</button>`
}
<button${sent !== undefined && html` class="secondary"`} name="do" value="${SEND_CODE}" formnovalidate>${sent === undefined ? recentProof.send : recentProof.sendAgain}</button>
</form>
<p class="cancel"><a href="${stepPath(signIn, "signIn")}">${recentProof.otherWay}</a></p>`,
  });
}
