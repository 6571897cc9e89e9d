import { type Kysely, sql } from "kysely";
import { type Param, prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { type CodeKind, VALID_SECONDS } from "./outbox.ts";

export type Channel = "email" | "sms";

/** A message that this process has claimed, with what a template needs to know of its user. */
export interface ClaimedMessage {
  readonly org_id: string;
  readonly id: string;
  readonly channel: Channel;
  readonly recipient: string;
  readonly content: Buffer | null;
  readonly content_key: string | null;
  readonly created_at: Date;
  /** How often sending it was begun, this time included. The claim holds for as long as the row has this number. */
  readonly attempts: number;
  readonly code_id: string;
  readonly kind: CodeKind;
  readonly display_name: string | null;
  readonly preferred_language: string | null;
  /** Whether its code can still be used for anything. */
  readonly is_of_use: boolean;
}

/**
 * What is written to the queue of messages. Each change but a claim is for the claim that is given and does nothing where
 * the message has another one by now, or waits no more; it resolves to whether it did something.
 *
 * All of them throw what the database gives.
 */
export interface Queue {
  /**
   * Claims messages that are due, those that wait longest first. Nobody else claims them until `until`.
   *
   * @param options `held`: ids of messages not to claim. `limit`: how many at most.
   */
  claim(options: {
    readonly channel: Channel;
    readonly limit: number;
    readonly held: readonly string[];
    readonly now: Date;
    readonly until: Date;
  }): Promise<ClaimedMessage[]>;
  /** Keeps messages claimed until a later time. */
  renew(messages: readonly ClaimedMessage[], until: Date): Promise<void>;
  /** It was handed over: what it held is erased, and its code is valid from now on. */
  markSent(message: ClaimedMessage, now: Date): Promise<boolean>;
  /** It could not be handed over, and is due again at a later time. */
  retryLater(message: ClaimedMessage, error: string, nextAttemptAt: Date): Promise<boolean>;
  /** It was refused for good. What it holds is kept, so that it can be sent again once the reason is mended. */
  markFailed(message: ClaimedMessage, error: string, now: Date): Promise<boolean>;
  /** Its code is of no use any more: what it held is erased, and the code has ended. */
  markExpired(message: ClaimedMessage, now: Date): Promise<boolean>;
}

export function createQueue(db: Kysely<Tables>): Queue {
  const claims: ReturnType<typeof prepareClaim>[] = [];
  const renew = prepareRenew(db);
  const end = prepareEnd(db);
  const retryLater = prepareRetryLater(db);
  const markFailed = prepareMarkFailed(db);

  return {
    claim({ limit, held, ...options }) {
      claims[limit] ??= prepareClaim(db, limit);
      return claims[limit]({ ...options, held: [...held] });
    },
    async renew(messages, until) {
      if (messages.length === 0) return;
      const held = messages.map(({ org_id, id, attempts }) => ({ org_id, id, attempts }));
      await renew({ held: JSON.stringify(held), until });
    },
    async markSent(message, now) {
      const codeExpiresAt = new Date(now.getTime() + VALID_SECONDS[message.kind] * 1_000);
      return (await end({ ...toClaim(message), state: "sent", now, codeExpiresAt })).length > 0;
    },
    async retryLater(message, error, nextAttemptAt) {
      return (await retryLater({ ...toClaim(message), error, nextAttemptAt })).length > 0;
    },
    async markFailed(message, error, now) {
      return (await markFailed({ ...toClaim(message), error, now })).length > 0;
    },
    async markExpired(message, now) {
      return (await end({ ...toClaim(message), state: "expired", now, codeExpiresAt: now })).length > 0;
    },
  };
}

interface ClaimValues {
  channel: Channel;
  held: string[];
  now: Date;
  until: Date;
}

/**
 * `last_error` is null while a message is being sent, which tells that from one that waits for its next attempt.
 *
 * Materialized, because a planner that ran the part again for each row of a join would lock more rows than the limit says.
 *
 * A statement for each limit: PostgreSQL takes one that it does not know for a tenth of the table. It then plans anew each
 * time (1.4 ms instead of 0.4 for a claim), or, where it must not, reads all messages (130 ms with 200,000 of them).
 */
function prepareClaim(db: Kysely<Tables>, limit: number) {
  return prepareStatementOn<ClaimValues, ClaimedMessage>(db, (param) =>
    db
      .with(
        (cte) => cte("due").materialized(),
        (query) =>
          query
            .selectFrom("messages")
            .select(["org_id", "id"])
            .where("channel", "=", param("channel", "text"))
            .where("next_attempt_at", "<=", param("now", "timestamptz"))
            .where(sql<boolean>`id <> all(${param("held", "uuid[]")})`)
            .orderBy("next_attempt_at")
            .limit(sql.lit(limit))
            .forUpdate()
            .skipLocked(),
      )
      .updateTable("messages")
      .from("due")
      .innerJoin("codes", (join) => join.onRef("codes.org_id", "=", "due.org_id"))
      .innerJoin("users", (join) =>
        join.onRef("users.org_id", "=", "codes.org_id").onRef("users.id", "=", "codes.user_id"),
      )
      .set({
        attempts: sql`messages.attempts + 1`,
        next_attempt_at: param("until", "timestamptz"),
        last_error: null,
      })
      .whereRef("messages.org_id", "=", "due.org_id")
      .whereRef("messages.id", "=", "due.id")
      .whereRef("codes.id", "=", "messages.code_id")
      .returning([
        "messages.org_id",
        "messages.id",
        "messages.channel",
        "messages.recipient",
        "messages.content",
        "messages.content_key",
        "messages.created_at",
        "messages.attempts",
        "messages.code_id",
        "codes.kind",
        "users.display_name",
        "users.preferred_language",
        isOfUse(param).as("is_of_use"),
      ]),
  );
}

/** Neither used nor expired nor replaced by a later one, and it proves what the user has and has not proved yet. */
function isOfUse(param: Param<ClaimValues>) {
  return sql<boolean>`(
    codes.used_at is null
    and (codes.expires_at is null or codes.expires_at > ${param("now", "timestamptz")})
    and not exists (select from codes as later where later.org_id = codes.org_id and later.user_id = codes.user_id
      and later.kind = codes.kind and later.sequence > codes.sequence)
    and case codes.kind
      when 'initialization' then codes.recipient is not distinct from users.email
      when 'phone' then codes.recipient is not distinct from users.phone and not users.phone_verified
      else true end)`;
}

function prepareRenew(db: Kysely<Tables>) {
  return prepareStatementOn<{ held: string; until: Date }, unknown>(db, (param) =>
    db
      .updateTable("messages")
      .from(
        sql<{ org_id: string; id: string; attempts: number }>`jsonb_to_recordset(${param("held", "jsonb")})`.as<"held">(
          sql`held (org_id uuid, id uuid, attempts integer)`,
        ),
      )
      .set({ next_attempt_at: param("until", "timestamptz") })
      .whereRef("messages.org_id", "=", "held.org_id")
      .whereRef("messages.id", "=", "held.id")
      .whereRef("messages.attempts", "=", "held.attempts")
      .where("messages.state", "=", "waiting")
      // An attempt that failed meanwhile has said when the next one is.
      .where("messages.last_error", "is", null),
  );
}

/** A claim, as the changes of a message name it. */
interface Claim {
  orgId: string;
  id: string;
  attempts: number;
}

function toClaim({ org_id, id, attempts }: ClaimedMessage): Claim {
  return { orgId: org_id, id, attempts };
}

interface EndValues extends Claim {
  state: "sent" | "expired";
  now: Date;
  codeExpiresAt: Date;
}

/** Ends a message that has served its purpose, and sets when its code expires unless that is known already. */
function prepareEnd(db: Kysely<Tables>) {
  return prepareStatementOn<EndValues, { id: string }>(db, (param) =>
    db
      .with("ended", (query) =>
        query
          .updateTable("messages")
          .set({
            state: param("state", "text"),
            next_attempt_at: null,
            ended_at: param("now", "timestamptz"),
            content: null,
            content_key: null,
          })
          .where("org_id", "=", param("orgId", "uuid"))
          .where("id", "=", param("id", "uuid"))
          .where("attempts", "=", param("attempts", "bigint"))
          .where("state", "=", "waiting")
          .returning(["org_id", "id", "code_id"]),
      )
      .with("coded", (query) =>
        query
          .updateTable("codes")
          .from("ended")
          .set({ expires_at: sql`coalesce(codes.expires_at, ${param("codeExpiresAt", "timestamptz")})` })
          .whereRef("codes.org_id", "=", "ended.org_id")
          .whereRef("codes.id", "=", "ended.code_id"),
      )
      .selectFrom("ended")
      .select("id"),
  );
}

function prepareRetryLater(db: Kysely<Tables>) {
  return prepareStatementOn<Claim & { error: string; nextAttemptAt: Date }, { id: string }>(db, (param) =>
    db
      .updateTable("messages")
      .set({ next_attempt_at: param("nextAttemptAt", "timestamptz"), last_error: param("error", "text") })
      .where("org_id", "=", param("orgId", "uuid"))
      .where("id", "=", param("id", "uuid"))
      .where("attempts", "=", param("attempts", "bigint"))
      .where("state", "=", "waiting")
      .returning("id"),
  );
}

function prepareMarkFailed(db: Kysely<Tables>) {
  return prepareStatementOn<Claim & { error: string; now: Date }, { id: string }>(db, (param) =>
    db
      .updateTable("messages")
      .set({
        state: "failed",
        next_attempt_at: null,
        ended_at: param("now", "timestamptz"),
        last_error: param("error", "text"),
      })
      .where("org_id", "=", param("orgId", "uuid"))
      .where("id", "=", param("id", "uuid"))
      .where("attempts", "=", param("attempts", "bigint"))
      .where("state", "=", "waiting")
      .returning("id"),
  );
}
