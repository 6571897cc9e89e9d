import { type RawBuilder, sql } from "kysely";
import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";
import { LIMITS } from "../limits.ts";
import { parseUserAgent } from "../parse-user-agent.ts";
import type { Notice } from "../texts/en/notices.ts";
import { sealContent } from "./message-content.ts";

/** Where a reported change comes from. */
export interface NoticeOrigin {
  /** Whether the user has made the change, as far as the service can know. */
  readonly isOwn: boolean;
  /** The header `user-agent` of the user's browser. */
  readonly userAgent?: string | undefined;
}

/** A row of `messages` in JSON without its recipient, which the statement adds: bytes in base64. */
export interface NoticeRow {
  readonly id: string;
  readonly notice: Notice;
  /** Absent if someone else has made the change. */
  readonly content?: string;
  readonly content_key?: string;
}

export function createNotice(keyring: Keyring, notice: Notice, { isOwn, userAgent }: NoticeOrigin): NoticeRow {
  const id = createId();
  return { id, notice, ...(isOwn && sealContent(keyring, id, parseUserAgent(userAgent))) };
}

/** The values that a statement needs to queue notices to the user that it changes. */
export interface NoticeValues extends EventValues {
  /** The rows in JSON, created by `Outbox.notices`. */
  notices: string;
}

/** The address that a notice to the user in `users` goes to; null if it is not verified. */
export const verifiedEmail = sql<string | null>`case when users.email_verified then users.email end`;

/**
 * The part of a statement that queues notices to the user whose row the part `changed` returns, with its
 * `verified_email` before the change. Without one, nothing is queued. Statements that wait for each other may together
 * exceed the limit by their number.
 *
 * @param condition A further condition on the part `changed`.
 */
export function queueNotices<Values extends NoticeValues>(
  param: Param<Values>,
  changed: string,
  condition: RawBuilder<boolean> = sql`true`,
): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`(
    insert into messages (org_id, id, user_id, notice, channel, recipient, content, content_key, created_at,
      next_attempt_at)
    select ${param("ownerId", "uuid")}, given.id, ${param("aggregateId", "uuid")}, given.notice, 'email',
      changed.verified_email, decode(given.content, 'base64'), given.content_key, changed.changed_at,
      ${param("now", "timestamptz")}
    from ${sql.table(changed)} as changed, jsonb_to_recordset(${param("notices", "jsonb")}) as given
      (id uuid, notice text, content text, content_key text)
    where changed.verified_email is not null and ${condition} and ${sql.lit(LIMITS.notices.most)} > (
      select count(*) from messages as earlier
      where earlier.org_id = ${param("ownerId", "uuid")} and earlier.user_id = ${param("aggregateId", "uuid")}
        and earlier.notice = given.notice and earlier.created_at > ${param("now", "timestamptz")} - interval '1 hour'))`;
}
