import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import { isForCurrentRecipient, isValid } from "../codes/conditions.ts";
import { type CodeKind, VALID_SECONDS } from "../codes/kinds.ts";
import { isActiveUser } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { type Param, prepareStatement, type Statement } from "../database/prepare.ts";
import type { Notice } from "../texts/shapes/notice-texts.ts";
import { REGISTRATION_KINDS, REGISTRATION_SECONDS, type RegistrationKind } from "./registration-message.ts";

export type Channel = "email" | "sms";

/** A message that this process has claimed, with the user data that templates need. */
export interface ClaimedMessage {
  readonly org_id: string;
  readonly id: string;
  readonly channel: Channel;
  readonly recipient: string;
  readonly content: Buffer | null;
  readonly content_key: string | null;
  readonly created_at: Date;
  /** Delivery attempts, including this one. The claim is valid while the row has this number. */
  readonly attempts: number;
  /** Null for a notice. */
  readonly code_id: string | null;
  /** The kind of the code; `password` without one. */
  readonly kind: CodeKind;
  /** Null for a message with a code. */
  readonly notice: Notice | RegistrationKind | null;
  /** Empty if the message goes to an address without a user. */
  readonly user_name: string;
  readonly display_name: string | null;
  readonly preferred_language: string | null;
  readonly email_verified: boolean;
  /** Whether its code can still be used. True for a notice. */
  readonly is_usable: boolean;
}

/**
 * Claims messages that are due, earliest due time first. No other process claims them before `until`.
 *
 * @param options `limit`: the maximum number. `exclude`: ids of messages not to claim.
 * @throws SignetError if the database fails, like all functions in this file.
 */
export async function claimMessages(
  db: Database,
  { limit, exclude, ...options }: ClaimOptions,
): Promise<ClaimedMessage[]> {
  claimStatements[limit] ??= prepareClaim(limit);
  return await claimStatements[limit](db, { ...options, exclude: [...exclude] });
}

export interface ClaimOptions {
  readonly channel: Channel;
  readonly limit: number;
  readonly exclude: readonly string[];
  readonly now: Date;
  readonly until: Date;
}

/** Extends claims. */
export async function renewClaims(db: Database, messages: readonly ClaimedMessage[], until: Date): Promise<void> {
  if (messages.length === 0) return;
  const claims = messages.map(({ org_id, id, attempts }) => ({ org_id, id, attempts }));
  await renewMessages(db, { claims: JSON.stringify(claims), until });
}

/**
 * Records that a message was delivered: erases its content, and starts the validity of its code.
 *
 * @returns Whether the claim was still valid. If not, nothing changes. The same applies to the functions below.
 */
export async function markSent(
  db: Database,
  message: ClaimedMessage,
  now: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  const codeExpiresAt = new Date(now.getTime() + VALID_SECONDS[message.kind] * 1_000);
  return (await endMessage(db, { ...toClaim(message), state: "sent", now, codeExpiresAt }, caller)).length > 0;
}

/** Records that an attempt failed, and when the next one is due. */
export async function markRetry(
  db: Database,
  message: ClaimedMessage,
  error: string,
  nextAttemptAt: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  return (await postponeMessage(db, { ...toClaim(message), error, nextAttemptAt }, caller)).length > 0;
}

/** Records that a message was permanently rejected. Its content is kept, so that it can be resent later. */
export async function markFailed(
  db: Database,
  message: ClaimedMessage,
  error: string,
  now: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  return (await failMessage(db, { ...toClaim(message), error, now }, caller)).length > 0;
}

/** Records that the code of a message is no longer usable: erases the content, and ends the code. */
export async function markExpired(
  db: Database,
  message: ClaimedMessage,
  now: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  return (await endMessage(db, { ...toClaim(message), state: "expired", now, codeExpiresAt: now }, caller)).length > 0;
}

interface ClaimValues {
  channel: Channel;
  exclude: string[];
  now: Date;
  until: Date;
}

/**
 * Sets `last_error` to null: a message that waits for a retry has one, a message that is being sent does not.
 *
 * The part `due` is materialized. Otherwise the planner may run it again for each row of a join, and lock more rows
 * than the limit allows.
 *
 * The limit is a literal, so each limit has its own statement. For an unknown limit, PostgreSQL assumes a tenth of the
 * table. It then replans each claim (1.4 ms instead of 0.4 ms) or, with a generic plan, reads all messages (130 ms for
 * 200,000).
 */
function prepareClaim(limit: number): Statement<ClaimValues, ClaimedMessage> {
  return prepareStatement((db, param) =>
    db
      .with(
        (cte) => cte("due").materialized(),
        (query) =>
          query
            .selectFrom("messages")
            .select(["org_id", "id", "user_id", "code_id"])
            .where("channel", "=", param("channel", "text"))
            .where("next_attempt_at", "<=", param("now", "timestamptz"))
            .where(sql<boolean>`id <> all(${param("exclude", "uuid[]")})`)
            .orderBy("next_attempt_at")
            .limit(sql.lit(limit))
            .forUpdate()
            .skipLocked(),
      )
      .updateTable("messages")
      .from("due")
      .leftJoin("codes", (join) => join.onRef("codes.org_id", "=", "due.org_id").onRef("codes.id", "=", "due.code_id"))
      .leftJoin("users", (join) => join.onRef("users.org_id", "=", "due.org_id").onRef("users.id", "=", "due.user_id"))
      .set({
        attempts: sql`messages.attempts + 1`,
        next_attempt_at: param("until", "timestamptz"),
        last_error: null,
      })
      .whereRef("messages.org_id", "=", "due.org_id")
      .whereRef("messages.id", "=", "due.id")
      .where(sql<boolean>`(users.id is not null or ${IS_REGISTRATION})`)
      .returning(CLAIMED)
      .returning(isUsable(param).as("is_usable")),
  );
}

/** Whether the message goes to an address without a user. */
const IS_REGISTRATION = sql<boolean>`messages.notice in (${sql.join(REGISTRATION_KINDS.map((kind) => sql.lit(kind)))})`;

const CLAIMED = [
  "messages.org_id",
  "messages.id",
  "messages.channel",
  "messages.recipient",
  "messages.content",
  "messages.content_key",
  "messages.created_at",
  "messages.attempts",
  "messages.code_id",
  sql<Notice | RegistrationKind | null>`messages.notice`.as("notice"),
  sql<CodeKind>`coalesce(codes.kind, 'password')`.as("kind"),
  sql<string>`coalesce(users.user_name, '')`.as("user_name"),
  "users.display_name",
  "users.preferred_language",
  sql<boolean>`coalesce(users.email_verified, false)`.as("email_verified"),
] as const;

const claimStatements: Statement<ClaimValues, ClaimedMessage>[] = [];

/**
 * Whether the message is a notice, or its code or link can still be used: the code is valid, for the current recipient,
 * and its purpose is not yet achieved.
 */
function isUsable(param: Param<ClaimValues>) {
  const sinceRequest = sql`${param("now", "timestamptz")} - messages.created_at`;
  return sql<boolean>`(
    case when ${IS_REGISTRATION} then ${sinceRequest} < ${sql.lit(REGISTRATION_SECONDS)} * interval '1 second'
      else messages.notice is not null end or (
      ${isValid(param("now", "timestamptz"))} and ${isForCurrentRecipient} and ${isActiveUser("users")}
      and case codes.kind when 'phone' then not users.phone_verified when 'email' then not users.email_verified
        when 'initialization' then not users.initialized else true end))`;
}

const renewMessages = prepareStatement<{ claims: string; until: Date }, unknown>((db, param) =>
  db
    .updateTable("messages")
    .from(
      sql<{
        org_id: string;
        id: string;
        attempts: number;
      }>`jsonb_to_recordset(${param("claims", "jsonb")})`.as<"claims">(
        sql`claims (org_id uuid, id uuid, attempts integer)`,
      ),
    )
    .set({ next_attempt_at: param("until", "timestamptz") })
    .whereRef("messages.org_id", "=", "claims.org_id")
    .whereRef("messages.id", "=", "claims.id")
    .whereRef("messages.attempts", "=", "claims.attempts")
    .where("messages.state", "=", "waiting")
    // An attempt that failed in the meantime has already set when the next one is due.
    .where("messages.last_error", "is", null),
);

/** Identifies a claim. */
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

/** Ends a message and sets the expiry of its code, unless it is already set. */
const endMessage = prepareStatement<EndValues, { id: string }>((db, param) =>
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
        .returning(["id", "code_id"]),
    )
    .with("coded", (query) =>
      query
        .updateTable("codes")
        .from("ended")
        .set({ expires_at: sql`coalesce(codes.expires_at, ${param("codeExpiresAt", "timestamptz")})` })
        .where("codes.org_id", "=", param("orgId", "uuid"))
        .whereRef("codes.id", "=", "ended.code_id"),
    )
    .selectFrom("ended")
    .select("id"),
);

const postponeMessage = prepareStatement<Claim & { error: string; nextAttemptAt: Date }, { id: string }>((db, param) =>
  db
    .updateTable("messages")
    .set({ next_attempt_at: param("nextAttemptAt", "timestamptz"), last_error: param("error", "text") })
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .where("attempts", "=", param("attempts", "bigint"))
    .where("state", "=", "waiting")
    .returning("id"),
);

const failMessage = prepareStatement<Claim & { error: string; now: Date }, { id: string }>((db, param) =>
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
