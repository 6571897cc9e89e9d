import { SignetError } from "../../errors.ts";
import type { NoticeRow } from "../../messages/notices.ts";
import { allowsMethods } from "../../sign-in/allowed-methods.ts";
import { findSignInUser, type SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { type Gate, nextGate } from "../../sign-in/gates.ts";
import { openOneTimeCode } from "../../sign-in/one-time-code.ts";
import { isStillOf, lacksOwnProof, openProof, type Proved, withRecentProof } from "../../sign-in/proof.ts";
import { requiredFactor } from "../../sign-in/required-factor.ts";
import { sendAddressLink } from "../../sign-in/send-address-link.ts";
import { toSignInOrigin } from "../../sign-in/sign-in-origin.ts";
import { deviceCookieHeader, isKnownDevice } from "../frame/device-cookie.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { stepCookieHeader } from "../frame/step-cookie.ts";
import { askAgain, askForOwnProof } from "./first-page.ts";
import { toGateForm } from "./gate-form.ts";
import { addressPage, newPasswordPage } from "./gate-pages.ts";
import { oneTimeCodePage } from "./one-time-code-page.ts";
import { isPasskeyOfferDue } from "./passkey-offer.ts";
import { offerPage } from "./passkey-offer-pages.ts";
import { confirmLink } from "./pending-links.ts";
import { askForCode } from "./recent-proof-pages.ts";
import { showSecondFactor } from "./show-second-factor.ts";
import { endedPage } from "./sign-in-page.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/**
 * The flow after a user has just authenticated, for every way to sign in: the page of the first gate in order
 * (docs/sign-in.md), or the redirect to the application.
 */
export async function enterGates(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
): Promise<PageResponse> {
  const page = await nextPage(parts, visit, user, proved);
  if (page === undefined) return await finish(parts, visit, user, proved);
  visit.caller.throwIfOver();
  await parts.interactions.prove(visit.signIn, { userId: user.id, sequence: user.sequence });
  return page;
}

/** The page of the next gate, or the redirect to the application. */
export async function proceed(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
): Promise<PageResponse> {
  return (await nextPage(parts, visit, user, proved)) ?? (await finish(parts, visit, user, proved));
}

/** The user at a gate and the proof in its form, or the page to show instead. */
export type OpenedGate =
  | { readonly ok: true; readonly user: SignInUser; readonly proved: Proved }
  | { readonly ok: false; readonly page: PageResponse };

/**
 * Opens the proof in a gate's form. The forms of all gates contain proofs, so a user whose next gate is a different one
 * gets the page of that gate.
 *
 * @param gate Undefined for a form after all gates.
 */
export async function openGate(
  parts: SignInParts,
  visit: SignInVisit,
  gate: Gate | undefined,
  form: URLSearchParams,
): Promise<OpenedGate> {
  const { signIn, caller } = visit;
  const proof = openProof(parts, signIn.id, form.get("proof") ?? "");
  if (proof === undefined || proof.userId !== signIn.provedUserId) return { ok: false, page: askAgain(parts, visit) };
  const hasEnded = proof.session !== undefined && proof.session.id !== signIn.session?.id;
  if (hasEnded) return { ok: false, page: askAgain(parts, visit) };
  const user = await findSignInUser(parts, proof.userId, caller);
  if (user === undefined || !isStillOf(proof, user) || !allowsMethods(signIn.policy, proof.methods))
    return { ok: false, page: askAgain(parts, visit) };
  if (gateOf(parts, visit, user, proof) === gate) return { ok: true, user, proved: proof };
  return { ok: false, page: await proceed(parts, visit, user, proof) };
}

/** The page for a user whose address is not verified, after a link was sent to it if possible. */
async function sendLink(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
): Promise<PageResponse> {
  const canSend = parts.outbox.sendsEmail;
  if (canSend) await sendAddressLink(parts, user);
  return addressPage(visit, user, { ...toGateForm(parts, visit, user, proved), canSend });
}

/** The page of the next gate, or one with a question. Undefined if nothing is left. */
async function nextPage(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
): Promise<PageResponse | undefined> {
  const gate = gateOf(parts, visit, user, proved);
  switch (gate) {
    case "verify-address":
      return await sendLink(parts, visit, user, proved);
    case "one-time-code":
      return oneTimeCodePage(visit, user, toGateForm(parts, visit, user, proved));
    case "second-factor":
      return await showSecondFactor(parts, visit, user, proved);
    case "recent-proof":
      return askForCode(parts, visit, user, proved);
    case "change-password":
      if (lacksOwnProof(proved, user)) return askForOwnProof(parts, visit);
      return newPasswordPage(visit, user, toGateForm(parts, visit, user, proved));
    case undefined:
      return (await isPasskeyOfferDue(parts, visit, user, proved))
        ? offerPage(visit, toGateForm(parts, visit, user, proved))
        : await confirmLink(parts, visit, user, proved);
    default:
      return gate satisfies never;
  }
}

function gateOf(
  { keyring, clock }: SignInParts,
  { signIn }: SignInVisit,
  user: SignInUser,
  proved: Proved,
): Gate | undefined {
  const required = requiredFactor(signIn, proved, clock());
  return nextGate(user, {
    methods: proved.methods,
    isStale: proved.isStale,
    hasOneTimeCode: openOneTimeCode(keyring, user) !== undefined,
    needsSecondFactor: required === "now" || (required === "soon" && proved.isFactorPostponed !== true),
  });
}

async function finish(parts: SignInParts, visit: SignInVisit, user: SignInUser, proved: Proved): Promise<PageResponse> {
  visit.caller.throwIfOver();
  // A second factor, which was just used, is a recent proof.
  const { methods, remember, idp, session } = proved.isStale ? withRecentProof(proved, parts.clock()) : proved;
  try {
    const { id: userId, sequence, passwordHash, initialized } = user;
    const notices = noticesOf(parts, visit, user);
    const origin = toSignInOrigin(visit.request.address, visit.caller.userAgent);
    const proofOf = { methods, remember, idp, session };
    const signedIn = { userId, sequence, passwordHash, initialized, ...proofOf, origin, notices };
    const location = await parts.interactions.finish(visit.signIn, signedIn);
    parts.outbox.announce([], notices);
    parts.metrics?.signInFinished();
    const device = deviceCookieHeader(parts, visit, user, "sign-in");
    return redirect(location, [device, stepCookieHeader(parts, user.orgId)]);
  } catch (error) {
    // The sign-in or the user's sessions have ended in the meantime.
    if (error instanceof SignetError && error.reason === "USER_NOT_FOUND") return endedPage(visit, undefined);
    throw error;
  }
}

/** What reports the sign-in to the user, unless the device is known, or the login policy has switched it off. */
function noticesOf(parts: SignInParts, visit: SignInVisit, user: SignInUser): readonly NoticeRow[] {
  if (visit.signIn.policy.disableNewDeviceNotice || isKnownDevice(parts, visit, user)) return [];
  return parts.outbox.notices("new-device", { isOwn: true, userAgent: visit.caller.userAgent });
}
