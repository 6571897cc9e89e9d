import { SignetError } from "../../errors.ts";
import type { NoticeRow } from "../../messages/notices.ts";
import { openOneTimeCode } from "../../sign-in/code/one-time-code.ts";
import { findSignInUser, type SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { type Gate, nextGate, requiredFactor } from "../../sign-in/gates.ts";
import { allowsMethods } from "../../sign-in/methods.ts";
import { recordPasswordSuccess } from "../../sign-in/password/record-password-events.ts";
import { isStillOf, openProof, withRecentProof } from "../../sign-in/proof.ts";
import { toSignInOrigin } from "../../sign-in/sign-in-origin.ts";
import { deviceCookieHeader, isKnownDevice } from "../frame/device-cookie.ts";
import type { PageResponse } from "../frame/page.ts";
import { STEP_COOKIE } from "../frame/page-cookies.ts";
import { redirect } from "../frame/responses.ts";
import { endedPage } from "./ended-page.ts";
import { askAgain } from "./first-page/first-page.ts";
import { FLOW, isGateStep, QUESTIONS } from "./flow.ts";
import { identifyPage, submitIdentifier } from "./identify.ts";
import type { ProvedStep, ProvedUser, QuestionName, SignInParts, SignInVisit, StepResult } from "./sign-in-parts.ts";
import type { StepName } from "./steps.ts";

/** Handles the form of a step, and continues until there is a page to show. */
export async function takeStep(
  parts: SignInParts,
  visit: SignInVisit,
  name: StepName,
  form: URLSearchParams,
): Promise<PageResponse> {
  const isFirst = isIdentifierMissing(visit, name, form);
  if (!parts.formTokens.isValid(visit.signIn.id, form.get("token"))) {
    return isFirst ? identifyPage(parts, visit) : await askAgain(parts, visit);
  }
  if (isFirst) return await submitIdentifier(parts, visit, form);
  if (isGateStep(name)) return await passGate(parts, visit, name, form);
  const page = await tryGates(parts, visit, await FLOW[name].postForm(parts, visit, form));
  return page ?? (await enterGates(parts, visit, await FLOW[name].postForm(parts, visit, form)));
}

/**
 * Whether the person has to enter an identifier before anything else. The link of a registration has an organization of
 * its own.
 */
export function isIdentifierMissing(
  { signIn: { discovery } }: SignInVisit,
  name: StepName,
  parameters: URLSearchParams,
): boolean {
  const isLink = name === "register" && parameters.has("code");
  return discovery !== undefined && discovery.identifier === undefined && !isLink;
}

/**
 * Continues after a way in: a user who has just authenticated gets the page of the first gate in order
 * (docs/sign-in.md), or the redirect to the application.
 */
export async function enterGates(parts: SignInParts, visit: SignInVisit, result: StepResult): Promise<PageResponse> {
  return (await tryGates(parts, visit, result)) ?? endedPage(visit, undefined);
}

/**
 * Returns undefined if an unrecorded password is not the user's any more, for example because a concurrent sign-in has
 * replaced its weak hash.
 */
async function tryGates(parts: SignInParts, given: SignInVisit, result: StepResult): Promise<PageResponse | undefined> {
  if ("status" in result) return result;
  const { visit = given } = result;
  // A gate may change the user for its page, such as by sending a code.
  const isGated = gateOf(parts, visit, result) !== undefined;
  const at = isGated ? await recordCheck(parts, result) : result;
  if (at === undefined) return undefined;
  const page = await nextPage(parts, visit, at);
  if (page === undefined) {
    const finished = await finish(parts, visit, at);
    return finished ?? (at.check === undefined ? endedPage(visit, undefined) : undefined);
  }
  visit.caller.throwIfOver();
  const proved = await recordCheck(parts, at);
  if (proved === undefined) return undefined;
  const { id: userId, sequence } = proved.user;
  await parts.interactions.prove(visit.signIn, { userId, sequence });
  return page;
}

/** Records a correct password that is not recorded yet. Undefined if the user has changed since it was verified. */
async function recordCheck(parts: SignInParts, at: ProvedStep): Promise<ProvedStep | undefined> {
  if (at.check === undefined) return at;
  const user = await recordPasswordSuccess(parts, at.user, at.check);
  return user && { user, proved: at.proved };
}

/**
 * Answers the form of a gate or a question, and continues. The forms of all of them contain proofs, so a user whose next
 * gate is a different one gets the page of that gate.
 */
async function passGate(
  parts: SignInParts,
  given: SignInVisit,
  name: Gate | QuestionName,
  form: URLSearchParams,
): Promise<PageResponse> {
  const opened = await openProved(parts, given, form);
  if (opened === undefined) return await askAgain(parts, given);
  const gate = gateOf(parts, given, opened);
  const isNext = gate === undefined ? QUESTIONS.some((question) => question === name) : gate === name;
  const result: StepResult = isNext ? await FLOW[name].answer(parts, given, opened, form) : opened;
  if ("status" in result) return result;
  const { visit = given } = result;
  return (await nextPage(parts, visit, result)) ?? (await finish(parts, visit, result)) ?? endedPage(visit, undefined);
}

/** Opens the proof in a form; undefined if it is not valid any more. */
async function openProved(
  parts: SignInParts,
  { signIn, caller }: SignInVisit,
  form: URLSearchParams,
): Promise<ProvedUser | undefined> {
  const proof = openProof(parts, signIn.id, form.get("proof") ?? "");
  if (proof === undefined || proof.userId !== signIn.provedUserId) return undefined;
  if (proof.session !== undefined && proof.session.id !== signIn.session?.id) return undefined;
  const user = await findSignInUser(parts, proof.userId, caller);
  const isValid = user !== undefined && isStillOf(proof, user) && allowsMethods(signIn.policy, proof.methods);
  return isValid ? { user, proved: proof } : undefined;
}

/** The page of the next gate, or one with a question. Undefined if nothing is left. */
async function nextPage(parts: SignInParts, visit: SignInVisit, at: ProvedUser): Promise<PageResponse | undefined> {
  const gate = gateOf(parts, visit, at);
  if (gate !== undefined) return await FLOW[gate].ask(parts, visit, at);
  for (const question of QUESTIONS) {
    const page = await FLOW[question].ask(parts, visit, at);
    if (page !== undefined) return page;
  }
  return undefined;
}

function gateOf(
  { keyring, clock }: SignInParts,
  { signIn }: SignInVisit,
  { user, proved }: ProvedUser,
): Gate | undefined {
  const required = requiredFactor(signIn, proved, clock());
  return nextGate(user, {
    methods: proved.methods,
    isStale: proved.isStale,
    hasOneTimeCode: openOneTimeCode(keyring, user) !== undefined,
    needsSecondFactor: required === "now" || (required === "soon" && proved.isFactorPostponed !== true),
  });
}

/** Returns undefined if the user's sessions have ended in the meantime, the password has changed, or the sign-in has ended. */
async function finish(
  parts: SignInParts,
  visit: SignInVisit,
  { user, proved, check }: ProvedStep,
): Promise<PageResponse | undefined> {
  visit.caller.throwIfOver();
  // A second factor, which was just used, is a recent proof.
  const { methods, remember, idp, session } = proved.isStale ? withRecentProof(proved, parts.clock()) : proved;
  try {
    const { id: userId, sequence, passwordHash, initialized } = user;
    const notices = noticesOf(parts, visit, user);
    const origin = toSignInOrigin(visit.request.address, visit.caller.userAgent);
    const proofOf = { methods, remember, idp, session };
    const signedIn = { userId, sequence, passwordHash, check, initialized, ...proofOf, origin, notices };
    const location = await parts.interactions.finish(visit.signIn, signedIn);
    parts.outbox.announce([], notices);
    parts.metrics?.signInFinished();
    const device = deviceCookieHeader(parts, visit, user, "sign-in");
    return redirect(location, [device, STEP_COOKIE.header(parts, user.orgId)]);
  } catch (error) {
    if (error instanceof SignetError && error.reason === "USER_NOT_FOUND") return undefined;
    throw error;
  }
}

/** What reports the sign-in to the user, unless the device is known, or the login policy has switched it off. */
function noticesOf(parts: SignInParts, visit: SignInVisit, user: SignInUser): readonly NoticeRow[] {
  if (visit.signIn.policy.disableNewDeviceNotice || isKnownDevice(parts, visit, user)) return [];
  return parts.outbox.notices("new-device", { isOwn: true, userAgent: visit.caller.userAgent });
}
