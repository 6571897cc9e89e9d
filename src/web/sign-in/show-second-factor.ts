import { listPasskeyDescriptors } from "../../passkeys/find-passkeys.ts";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { lacksOwnProof, type Proved } from "../../sign-in/proof.ts";
import { canPostpone } from "../../sign-in/required-factor.ts";
import type { PageResponse } from "../frame/page.ts";
import { askForOwnProof, toPasskeyOptions } from "./first-page.ts";
import { toGateForm } from "./gate-form.ts";
import { isSecureContext } from "./passkey-offer.ts";
import { chooseFactorPage, confirmFactorPage, type PasskeyProblem } from "./second-factor-pages.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/**
 * The page for a user whose sign-in requires a second factor. A user with a passkey has to use it: whoever knows only
 * the password must not be able to set up another factor instead.
 */
export async function showSecondFactor(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  proved: Proved,
  problem?: PasskeyProblem,
): Promise<PageResponse> {
  const { signIn, caller } = visit;
  const form = toGateForm(parts, visit, user, proved);
  const passkeys = await listPasskeyDescriptors(parts, user, caller);
  if (passkeys.length > 0) {
    return confirmFactorPage(visit, { ...form, options: toPasskeyOptions(parts, visit, passkeys), problem });
  }
  if (lacksOwnProof(proved, user)) return askForOwnProof(parts, visit);
  const { policy } = signIn;
  const canWait = canPostpone(signIn, user, proved, parts.clock());
  return chooseFactorPage(visit, {
    ...form,
    allowsPasskey: isSecureContext(parts.config.publicUrl),
    postponableUntil: canWait ? (policy.forceMfaFrom ?? undefined) : undefined,
  });
}
