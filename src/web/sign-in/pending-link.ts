import { signInTag } from "../../sign-in/provider/idp-attempts.ts";
import type { PendingLink } from "../../sign-in/provider/link-external-user.ts";
import { createSealedCookie, type SealedCookie } from "../frame/cookies.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** The external user to link to the account, if the user has asked for it and has not decided yet. */
export function readPendingLink(parts: SignInParts, visit: SignInVisit): PendingLink | undefined {
  const { signIn, hasDecidedLink = false } = visit;
  return hasDecidedLink ? undefined : cookieOf(signIn.id).read(parts, visit, signIn.id);
}

/** The header `set-cookie` that keeps an external user until the user has signed in to the account. */
export function pendingLinkHeader(parts: SignInParts, signInId: string, link: PendingLink): string {
  return cookieOf(signInId).header(parts, signInId, link);
}

/** It lasts for the time limit for signing in and passing the gates. */
function cookieOf(signInId: string): SealedCookie<PendingLink> {
  const kind = { table: "sign-in", column: "pending link", validSeconds: 15 * 60 };
  return createSealedCookie(`signet-link-${signInTag(signInId)}`, kind);
}
