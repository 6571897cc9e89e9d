import type { Clock } from "../../clock.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { Session, Sessions } from "./sessions.ts";

/** The maximum age of a sign-in that allows users to change their ways to sign in, in milliseconds. */
const RECENT_MS = 15 * 60_000;

/** Whether the user of a session has signed in recently. */
export function isRecent(clock: Clock, { signedInAt }: Session): boolean {
  return clock().getTime() - signedInAt.getTime() < RECENT_MS;
}

/** Redirects to a sign-in in the user's organization, even though the user is signed in. */
export function askAgain(sessions: Sessions, { orgId }: { readonly orgId: string }): PageResponse {
  return redirect(sessions.signInUrl({ orgId, reauthenticate: true }));
}
