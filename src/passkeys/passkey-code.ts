import { sql } from "kysely";
import { isReplaced } from "../codes/other-codes.ts";
import type { Param } from "../database/prepare.ts";

/** A code of a passkey link whose secret was right. */
export interface PasskeyCode {
  readonly orgId: string;
  readonly codeId: string;
  readonly userId: string;
}

export interface PasskeyCodeValues extends PasskeyCode {
  now: Date;
}

/** The condition on `codes` that this is the row, and that a passkey may still be registered by it. */
export function isUsablePasskeyCode<Values extends PasskeyCodeValues>(param: Param<Values>) {
  return sql<boolean>`(
    codes.org_id = ${param("orgId", "uuid")} and codes.id = ${param("codeId", "uuid")}
    and codes.user_id = ${param("userId", "uuid")} and codes.kind = 'passkey' and codes.used_at is null
    and codes.expires_at > ${param("now", "timestamptz")} and not ${isReplaced})`;
}
