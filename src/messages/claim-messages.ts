import { type Kysely, sql } from "kysely";
import { isForCurrentRecipient, isValid } from "../codes/conditions.ts";
import type { CodeKind } from "../codes/kinds.ts";
import { NIL_ID } from "../crypto/secrets.ts";
import { isActiveUser } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { type Param, prepareStatement, type Statement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { Notice } from "../texts/en/notices.ts";
import { REGISTRATION_KINDS, REGISTRATION_SECONDS, type RegistrationKind } from "./registration-message.ts";
import { SIGN_IN_CODE, SIGN_IN_CODE_SECONDS } from "./sign-in-code-message.ts";

export type Channel = "email" | "sms";

/** A message that this process has claimed, with the user data that templates need. */
export interface ClaimedMessage {
  readonly org_id: string;
  readonly id: string;
  readonly channel: Channel;
  readonly by_import: boolean;
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
  readonly notice: Notice | RegistrationKind | typeof SIGN_IN_CODE | null;
  /** Empty if the message goes to an address without a user. */
  readonly user_name: string;
  readonly display_name: string | null;
  readonly preferred_language: string | null;
  readonly email_verified: boolean;
  /** Of an initialization: the name of the person in the organization who has requested it. */
  readonly inviter_name: string | null;
  /** Whether its code can still be used. True for a notice. */
  readonly is_usable: boolean;
}

/**
 * Claims messages that are due. No other process claims them before `until`. Lines of messages take turns: each
 * organization has one line of messages that imports have queued, and one of all others, in the order in which they were
 * queued. Messages whose first attempt failed are in two more lines, those of imports and all others, in the order in
 * which they are due.
 *
 * @param options `limit`: the maximum number. `exclude`: ids of messages not to claim. `turn`: where to begin, which
 *   `turnAfter` returns.
 * @throws SignetError if the database fails.
 */
export async function claimMessages(
  db: Database,
  { limit, exclude, turn, ...options }: ClaimOptions,
): Promise<ClaimedMessage[]> {
  claimStatements[limit] ??= prepareClaim(limit);
  return await claimStatements[limit](db, { ...options, ...turn, exclude: [...exclude] });
}

interface ClaimOptions {
  readonly channel: Channel;
  readonly limit: number;
  readonly exclude: readonly string[];
  readonly turn: Turn;
  readonly now: Date;
  readonly until: Date;
}

/** Where a claim begins: after a line of an organization. */
interface Turn {
  readonly orgId: string;
  readonly byImport: boolean;
  /** Which of the two lines of retries comes first. */
  readonly retriesByImport: boolean;
}

/** Before the first organization. */
export const FIRST_TURN: Turn = { orgId: NIL_ID, byImport: false, retriesByImport: false };

/** Returns the turn after a claim. The lines of retries follow those of all organizations. */
export function turnAfter(turn: Turn, claimed: readonly ClaimedMessage[]): Turn {
  const last = claimed.at(-1);
  if (last === undefined) return turn;
  const { org_id: orgId, by_import: byImport, attempts } = last;
  return attempts === 1 ? { ...turn, orgId, byImport } : { ...FIRST_TURN, retriesByImport: !byImport };
}

interface ClaimValues extends Turn {
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
 */
function prepareClaim(limit: number): Statement<ClaimValues, ClaimedMessage> {
  return prepareStatement((db, param) =>
    db
      .with(
        (cte) => cte("due").materialized(),
        () => selectDue(db, param, limit),
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

/**
 * Locks the messages to claim. Each part reads one index in its order, and a part is only read if those before it have
 * fewer messages than the limit, so a claim reads as many messages as it claims, however many wait.
 *
 * The limit is a literal, so each limit has its own statement. For an unknown limit, PostgreSQL assumes a tenth of the
 * table. It then replans each claim (1.4 ms instead of 0.4 ms) or, with a generic plan, reads all messages (130 ms for
 * 200,000).
 */
function selectDue(db: Kysely<Tables>, param: Param<ClaimValues>, limit: number) {
  const line = sql`(org_id, by_import)`;
  const begin = sql`(${param("orgId", "uuid")}, ${param("byImport", "boolean")})`;
  const waiting = db
    .selectFrom("messages")
    .select(["org_id", "id", "user_id", "code_id"])
    .where("channel", "=", param("channel", "text"))
    .where("next_attempt_at", "<=", param("now", "timestamptz"))
    .where(sql<boolean>`id <> all(${param("exclude", "uuid[]")})`)
    .limit(sql.lit(limit))
    .forUpdate()
    .skipLocked();
  const first = waiting
    .where("attempts", "=", sql.lit(0))
    .orderBy("org_id")
    .orderBy("by_import")
    .orderBy("next_attempt_at");
  const retries = waiting.where("attempts", ">", sql.lit(0)).orderBy("next_attempt_at");
  // PostgreSQL locks rows of a part of a union only in a subquery.
  const part = (query: typeof waiting) => db.selectFrom(query.as("part")).selectAll();
  return part(first.where(sql<boolean>`${line} > ${begin}`))
    .unionAll(part(retries.where("by_import", "=", param("retriesByImport", "boolean"))))
    .unionAll(part(retries.where("by_import", "=", sql<boolean>`not ${param("retriesByImport", "boolean")}`)))
    .unionAll(part(first.where(sql<boolean>`${line} <= ${begin}`)))
    .limit(sql.lit(limit));
}

/** Whether the message goes to an address without a user. */
const IS_REGISTRATION = sql<boolean>`messages.notice in (${sql.join(REGISTRATION_KINDS.map((kind) => sql.lit(kind)))})`;

const CLAIMED = [
  "messages.org_id",
  "messages.id",
  "messages.channel",
  "messages.by_import",
  "messages.recipient",
  "messages.content",
  "messages.content_key",
  "messages.created_at",
  "messages.attempts",
  "messages.code_id",
  sql<Notice | RegistrationKind | typeof SIGN_IN_CODE | null>`messages.notice`.as("notice"),
  sql<CodeKind>`coalesce(codes.kind, 'password')`.as("kind"),
  sql<string>`coalesce(users.user_name, '')`.as("user_name"),
  "users.display_name",
  "users.preferred_language",
  sql<boolean>`coalesce(users.email_verified, false)`.as("email_verified"),
  sql<string | null>`case when codes.kind = 'initialization' then (
    select editor.display_name from events
    join users as editor on editor.org_id = events.owner_id and editor.id = events.editor_id and editor.kind = 'human'
    where events.owner_id = messages.org_id and events.aggregate_id = messages.user_id
      and events.type = 'user.human.initialization.requested'
    order by events.sequence desc limit 1) end`.as("inviter_name"),
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
      when messages.notice = ${sql.lit(SIGN_IN_CODE)}
        then ${sinceRequest} < ${sql.lit(SIGN_IN_CODE_SECONDS)} * interval '1 second' and ${isActiveUser("users")}
      else messages.notice is not null or (
        ${isValid(param("now", "timestamptz"))} and ${isForCurrentRecipient} and ${isActiveUser("users")}
        and case codes.kind when 'phone' then not users.phone_verified when 'email' then not users.email_verified
          when 'initialization' then not users.initialized else true end) end)`;
}
