import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";

/** The maximum age of a sign-in that allows users to change their ways to sign in, in milliseconds. */
const RECENT_MS = 15 * 60_000;

/** Whether the user has signed in recently. */
export function isRecent({ clock }: AccountParts, { session }: AccountVisit): boolean {
  return clock().getTime() - session.signedInAt.getTime() < RECENT_MS;
}

/** Redirects to a sign-in in the user's organization, even though the user is signed in. */
export function signInAgain({ sessions }: AccountParts, { account }: AccountVisit): PageResponse {
  return redirect(sessions.signInUrl({ orgId: account.orgId, reauthenticate: true }));
}
