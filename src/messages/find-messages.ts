import { type Expression, sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";

/** `sending`: a process has claimed the message. That process may have crashed since. */
export type MessageState = (typeof MESSAGE_STATES)[number];

const MESSAGE_STATES = ["waiting", "sending", "failed", "expired", "sent"] as const;

const UNSENT: readonly MessageState[] = ["waiting", "sending", "failed", "expired"];

interface MessageSearch {
  /** By default, messages in any state if there is another condition, otherwise those that have not been sent. */
  readonly state?: MessageState | undefined;
  /** The address or number, ignoring case. */
  readonly recipient?: string | undefined;
  /** The messages that were queued then or later. */
  readonly since?: Date | undefined;
}

/**
 * Lists messages without their contents, in the order in which they were queued. If there are more than `limit`, the
 * most recent ones are listed.
 */
export async function listMessages(
  db: Database,
  { state, recipient, since, limit, now }: MessageSearch & { readonly limit: number; readonly now: Date },
) {
  const isNarrowed = recipient !== undefined || since !== undefined;
  const states = state !== undefined ? [state] : isNarrowed ? MESSAGE_STATES : UNSENT;
  const latest = await selectMessages(db, now)
    .where(stateAt(now), "in", states)
    .$if(recipient !== undefined, (query) =>
      query.where(sql<boolean>`lower(messages.recipient) = lower(${recipient}::text)`),
    )
    .$if(since !== undefined, (query) => query.where(sql<boolean>`messages.created_at >= ${since}::timestamptz`))
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
    case when messages.state = 'waiting' and messages.attempts > 0 and messages.last_error is null
      and messages.next_attempt_at > ${now} then 'sending'
      else messages.state end`;
}
