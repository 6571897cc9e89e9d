import { type Kysely, sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import type { Tables } from "../database/tables.ts";

/** `sending`: it waits, and a process has claimed it, which may have died since. */
export type MessageState = (typeof MESSAGE_STATES)[number];

export const MESSAGE_STATES = ["waiting", "sending", "failed", "expired", "sent"] as const;

/** What is not done with. */
const OF_INTEREST: readonly MessageState[] = ["waiting", "sending", "failed", "expired"];

/**
 * Messages without what they hold, in the order in which they were queued, the latest ones where there are more than the
 * limit.
 *
 * @param options `state`: without one, all that were not sent.
 */
export async function listMessages(
  db: Kysely<Tables>,
  { state, limit, now }: { state: MessageState | undefined; limit: number; now: Date },
) {
  const latest = await selectMessages(db, now)
    .where(stateAt(now), "in", state === undefined ? OF_INTEREST : [state])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return latest.reverse();
}

/** The message with this id, without what it holds. */
export async function findMessage(db: Kysely<Tables>, { id, now }: { id: string; now: Date }) {
  return isId(id) ? await selectMessages(db, now).where("id", "=", id).executeTakeFirst() : undefined;
}

function selectMessages(db: Kysely<Tables>, now: Date) {
  return db
    .selectFrom("messages")
    .select(["id", "org_id", "user_id", "channel", "recipient", "created_at", "attempts"])
    .select(["next_attempt_at", "ended_at", "last_error"])
    .select(stateAt(now).as("state"));
}

/** A message is claimed while it is not due although nothing is known of its last attempt: see `prepareClaim`. */
export function stateAt(now: Date) {
  return sql<MessageState>`
    case when state = 'waiting' and attempts > 0 and last_error is null and next_attempt_at > ${now} then 'sending'
      else state end`;
}
