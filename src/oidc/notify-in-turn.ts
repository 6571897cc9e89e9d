import type { EndedSession } from "../users/change/end-sessions.ts";

/** How many of the sessions that one change has ended are notified at the same time. */
export const SESSIONS_AT_ONCE = 16;

/**
 * Notifies the applications of sessions that one change has ended, a limited number at the same time. A user can have
 * thousands of sessions, and each notification takes a lookup, a signature and a connection, which the application can keep
 * open until the time limit: all at once, they would leave no connections for others, and exceed the database's queue.
 *
 * @param notify Must not reject.
 */
export async function notifyInTurn(
  sessions: readonly EndedSession[],
  notify: (session: EndedSession) => Promise<void>,
): Promise<void> {
  const rest = sessions.values();
  const notifyRest = async () => {
    for (const session of rest) await notify(session);
  };
  await Promise.all(Array.from({ length: SESSIONS_AT_ONCE }, notifyRest));
}
