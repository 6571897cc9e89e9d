import { randomBytes } from "node:crypto";
import { createSealedValues } from "../../crypto/sealed-values.ts";
import { listPasskeyDescriptors } from "../../passkeys/find-passkeys.ts";
import { encodeBase32 } from "../../sign-in/base32.ts";
import { findSignInUser, type SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { withOneTimeCode } from "../../sign-in/gates.ts";
import { addOneTimeCode } from "../../sign-in/one-time-code-changes.ts";
import { lacksOwnProof, type Proved } from "../../sign-in/proof.ts";
import { canPostpone } from "../../sign-in/required-factor.ts";
import { findStep, parseTotpSecret, totpUri } from "../../sign-in/totp.ts";
import type { PageResponse } from "../frame/page.ts";
import { askAgain, askForOwnProof } from "./first-page.ts";
import { toGateForm } from "./gate-form.ts";
import { openGate, proceed } from "./gates.ts";
import { addPasskey } from "./passkey-offer.ts";
import { verifyPasskey } from "./passkey-step.ts";
import { FACTOR_ACTIONS, savedFactorPage, setUpFactorPage } from "./second-factor-pages.ts";
import { showSecondFactor } from "./show-second-factor.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** 160 bits, the length of SHA-1, as recommended by RFC 4226, section 4. */
const KEY_BYTES = 20;

/** A secret is stored once its first code has been entered. Until then, only the form contains it. */
const SEALED_SECRETS = createSealedValues<string>({
  table: "sign-in",
  column: "one-time-code",
  validSeconds: 15 * 60,
});

/** Sets up the chosen factor, or verifies the passkey that the user already has. */
export async function submitSecondFactor(
  parts: SignInParts,
  visit: SignInVisit,
  form: URLSearchParams,
): Promise<PageResponse> {
  const gate = await openGate(parts, visit, "second-factor", form);
  if (!gate.ok) return gate.page;
  const { user, proved } = gate;
  const canWait = canPostpone(visit.signIn, user, proved, parts.clock());
  const postponed = { ...proved, isFactorPostponed: true };
  if (canWait && form.get("do") === FACTOR_ACTIONS.later) return await proceed(parts, visit, user, postponed);
  const passkeys = await listPasskeyDescriptors(parts, user, visit.caller);
  if (passkeys.length > 0) return await confirmWithPasskey(parts, visit, user, proved, form);
  if (lacksOwnProof(proved, user)) return askForOwnProof(parts, visit);
  switch (form.get("do")) {
    case FACTOR_ACTIONS.app:
      return askForCode(parts, visit, user, proved, encodeBase32(randomBytes(KEY_BYTES)));
    case FACTOR_ACTIONS.code:
      return await setUpCodes(parts, visit, user, proved, form);
    case FACTOR_ACTIONS.passkey:
      return await addPasskey(parts, visit, user, toGateForm(parts, visit, user, proved));
    default:
      return await showSecondFactor(parts, visit, user, proved);
  }
}

async function confirmWithPasskey(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
  form: URLSearchParams,
): Promise<PageResponse> {
  if (!form.has("response")) return await showSecondFactor(parts, visit, user, proved);
  const outcome = await verifyPasskey(parts, visit, form, user.id);
  if (!outcome.ok) return await showSecondFactor(parts, visit, user, proved, outcome.problem);
  // A passkey of another account says nothing about this one.
  if (outcome.user.id !== user.id) {
    const problem = { status: 422, text: visit.language.texts.signIn.errors.otherUser(user.userName) };
    return await showSecondFactor(parts, visit, user, proved, problem);
  }
  const methods = [...new Set([...proved.methods, ...outcome.methods])];
  return await proceed(parts, visit, outcome.user, { ...proved, methods });
}

function askForCode(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
  base32: string,
  problem?: string,
): PageResponse {
  const secret = parseTotpSecret(base32);
  if (secret === undefined) throw new Error("the new secret cannot be read");
  return setUpFactorPage(visit, user, {
    ...toGateForm(parts, visit, user, proved),
    secret: SEALED_SECRETS.seal(parts, visit.signIn.id, base32),
    base32,
    uri: totpUri(secret, base32, user.userName),
    problem,
  });
}

async function setUpCodes(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
  form: URLSearchParams,
): Promise<PageResponse> {
  const { signIn, language, caller } = visit;
  const base32 = SEALED_SECRETS.open(parts, signIn.id, form.get("secret") ?? "");
  const secret = base32 === undefined ? undefined : parseTotpSecret(base32);
  if (base32 === undefined || secret === undefined) return await showSecondFactor(parts, visit, user, proved);
  const code = (form.get("code") ?? "").replaceAll(/[-\s]/g, "");
  const step = findStep(secret, code, parts.clock(), null);
  const { wrong } = language.texts.signIn.oneTimeCode;
  if (step === undefined) return askForCode(parts, visit, user, proved, base32, wrong);
  caller.throwIfOver();
  const codes = await addOneTimeCode(parts, user, { base32, step, former: user.otpCode }, caller);
  const changed = await findSignInUser(parts, user.id, caller);
  if (codes === undefined || changed === undefined) return askAgain(parts, visit);
  const confirmed = { ...proved, methods: withOneTimeCode(proved.methods) };
  const { host } = new URL(parts.config.publicUrl);
  return savedFactorPage(visit, changed, { ...toGateForm(parts, visit, changed, confirmed), codes, host });
}
