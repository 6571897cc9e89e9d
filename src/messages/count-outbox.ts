import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { OutboxCount } from "../telemetry/metrics.ts";
import { stateAt } from "./find-messages.ts";

/** The maximum number of messages counted per channel, so that a long queue does not slow down the query. */
const MAX_COUNTED = 10_000;

/**
 * Counts unsent messages by channel and state. If a channel has more than 10,000, the ones that are due first are
 * counted.
 *
 * @throws SignetError if the database fails.
 */
export async function countOutbox(db: Database, now: Date): Promise<OutboxCount[]> {
  const rows = await countMessages(db, { now });
  return CHANNELS.flatMap((channel) =>
    STATES.map((state) => {
      const row = rows.find((one) => one.channel === channel && one.state === state);
      const oldestSeconds = row ? Math.max(0, (now.getTime() - row.oldest.getTime()) / 1_000) : 0;
      return { channel, state, messages: row?.messages ?? 0, oldestSeconds };
    }),
  );
}

const CHANNELS = ["email", "sms"] as const;
const STATES = ["waiting", "sending", "retrying"] as const;

interface CountRow extends Pick<OutboxCount, "channel" | "state" | "messages"> {
  oldest: Date;
}

/** Reads the index `messages__due`. */
const countMessages = prepareStatement<{ now: Date }, CountRow>((db, param) => {
  const due = (channel: (typeof CHANNELS)[number]) =>
    db
      .selectFrom("messages")
      .select(["channel", "created_at"])
      .select(
        sql<OutboxCount["state"]>`case when last_error is not null then 'retrying'
          else ${stateAt(param("now", "timestamptz"))} end`.as("state"),
      )
      .where("channel", "=", sql.lit(channel))
      .where("next_attempt_at", "is not", null)
      .orderBy("next_attempt_at")
      .limit(sql.lit(MAX_COUNTED));
  return db
    .selectFrom(sql<CountRow & { created_at: Date }>`(${due("email")} union all ${due("sms")})`.as("due"))
    .groupBy(["channel", "state"])
    .select(["channel", "state", sql<number>`count(*)::int`.as("messages"), sql<Date>`min(created_at)`.as("oldest")]);
});
