import { type Expression, sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";

/** `sending`: a process has claimed the message. That process may have crashed since. */
export type MessageState = (typeof MESSAGE_STATES)[number];

export const MESSAGE_STATES = ["waiting", "sending", "failed", "expired", "sent"] as const;

const UNSENT: readonly MessageState[] = ["waiting", "sending", "failed", "expired"];

/**
 * Lists messages without their contents, in the order in which they were queued. If there are more than `limit`, the
 * most recent ones are listed.
 *
 * @param options `state`: undefined selects all messages that have not been sent.
 */
export async function listMessages(
  db: Database,
  { state, limit, now }: { state: MessageState | undefined; limit: number; now: Date },
) {
  const latest = await selectMessages(db, now)
    .where(stateAt(now), "in", state === undefined ? UNSENT : [state])
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return latest.reverse();
}

/** Finds a message by its id, without its content. */
export async function findMessage(db: Database, { id, now }: { id: string; now: Date }) {
  return isId(id) ? await selectMessages(db, now).where("id", "=", id).executeTakeFirst() : undefined;
}

function selectMessages(db: Database, now: Date) {
  return db
    .selectFrom("messages")
    .select(["id", "org_id", "user_id", "channel", "recipient", "created_at", "attempts"])
    .select(["next_attempt_at", "ended_at", "last_error"])
    .select(stateAt(now).as("state"));
}

/**
 * The state of a message. It is being sent if it is not due and its last attempt has no outcome; see `prepareClaim`.
 */
export function stateAt(now: Date | Expression<Date>) {
  return sql<MessageState>`
    case when state = 'waiting' and attempts > 0 and last_error is null and next_attempt_at > ${now} then 'sending'
      else state end`;
}
