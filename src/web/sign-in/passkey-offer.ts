import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { toOwnCall } from "../../sign-in/own-call.ts";
import { lacksPasskey } from "../../sign-in/passkey-offer.ts";
import type { Proved } from "../../sign-in/proof.ts";
import { addPasskeyRegistration } from "../../users/credentials/add-passkey-registration.ts";
import type { PageResponse } from "../frame/page.ts";
import type { GateForm } from "./gate-form.ts";
import { addPasskeyPage } from "./passkey-offer-pages.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/**
 * Whether to offer a passkey to a user who has signed in with a password and has no passkey: once, or again some time
 * after the user has declined it.
 */
export async function isPasskeyOfferDue(
  { config, db, clock }: SignInParts,
  { signIn, caller, hasDeclinedPasskey = false }: SignInVisit,
  user: SignInUser,
  { methods }: Proved,
): Promise<boolean> {
  const { allowPasswordless, mfaInitSkipSeconds } = signIn.policy;
  const isPossible = !hasDeclinedPasskey && allowPasswordless && isSecureContext(config.publicUrl);
  const isAsked = mfaInitSkipSeconds === null ? config.passkeyOffer === "once" : mfaInitSkipSeconds > 0;
  if (!isPossible || !isAsked || !methods.includes("pwd")) return false;
  const declinedBefore = mfaInitSkipSeconds === null ? null : new Date(clock().getTime() - mfaInitSkipSeconds * 1_000);
  return await lacksPasskey({ db }, user, declinedBefore, caller);
}

/** The page that adds a passkey. */
export async function addPasskey(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  gateForm: GateForm,
): Promise<PageResponse> {
  const { link } = await addPasskeyRegistration(parts, { userId: user.id }, toOwnCall(user, visit.caller));
  const code = new URL(link).searchParams.get("code") ?? "";
  return addPasskeyPage(visit, { ...gateForm, code });
}

/** Whether browsers support passkeys at a URL (W3C Secure Contexts, section 3.1). */
export function isSecureContext(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || /(^|\.)localhost$/.test(hostname);
}
