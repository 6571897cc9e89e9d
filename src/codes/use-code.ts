import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { CodeKind } from "../messages/outbox.ts";
import { isReplaced } from "./other-codes.ts";

/** The values that a statement needs to use a code. */
export interface UseCodeValues {
  /** Organization of the user. */
  ownerId: string;
  codeId: string;
  /** The user's, as the code was looked up with: whatever comes between, another use of the code too, changes it. */
  sequence: bigint;
  now: Date;
}

/** The part of a statement, to be named `code`, that reads the code where it is valid and the user's last of its kind. */
export function readValidCode<Values extends UseCodeValues>(param: Param<Values>, kind: CodeKind) {
  return sql<{ org_id: string; user_id: string; id: string; recipient: string | null }>`(
    select codes.org_id, codes.user_id, codes.id, codes.recipient from codes
    where codes.org_id = ${param("ownerId", "uuid")} and codes.id = ${param("codeId", "uuid")}
      and codes.kind = ${sql.lit(kind)} and codes.used_at is null and ${isNotExpired(param)} and not ${isReplaced})`;
}

/** The part of a statement that marks as used what the part `code` read, where the part `changed` changed the user. */
export function markCodeUsed(): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`(
    update codes set used_at = changed.changed_at from code, changed
    where codes.org_id = code.org_id and codes.id = code.id)`;
}

/** A code whose message was not handed over yet cannot have expired. */
export function isNotExpired<Values extends Pick<UseCodeValues, "now">>(param: Param<Values>): RawBuilder<boolean> {
  return sql<boolean>`(codes.expires_at is null or codes.expires_at > ${param("now", "timestamptz")})`;
}
