import type { Clock } from "../../clock.ts";
import type { PageResponse } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import type { Session, Sessions } from "./sessions.ts";

/** How long ago the person may have signed in to change how they sign in, in milliseconds. */
const RECENT_MS = 15 * 60_000;

/** Whether the person of a session has signed in lately. */
export function isRecent(clock: Clock, { signedInAt }: Session): boolean {
  return clock().getTime() - signedInAt.getTime() < RECENT_MS;
}

/** Leads to a sign-in in the person's organization, also a person who is signed in. */
export function askAgain(sessions: Sessions, { orgId }: { readonly orgId: string }): PageResponse {
  return redirect(sessions.signInUrl({ orgId, reauthenticate: true }));
}
