import { sql } from "kysely";
import { isOfActiveUser, isValid } from "../codes/conditions.ts";
import type { FoundCode } from "../codes/find-code.ts";
import type { Param } from "../database/prepare.ts";

/** The found code of a passkey link. */
export type PasskeyCode = Pick<FoundCode, "orgId" | "id" | "userId">;

export interface PasskeyCodeValues {
  ownerId: string;
  aggregateId: string;
  codeId: string;
  now: Date;
}

export function passkeyCodeToValues({ orgId, id, userId }: PasskeyCode, now: Date): PasskeyCodeValues {
  return { ownerId: orgId, aggregateId: userId, codeId: id, now };
}

/** The condition on `codes` that a passkey can still be registered with this code. */
export function isUsablePasskeyCode<Values extends PasskeyCodeValues>(param: Param<Values>) {
  return sql<boolean>`(
    codes.org_id = ${param("ownerId", "uuid")} and codes.id = ${param("codeId", "uuid")}
    and codes.user_id = ${param("aggregateId", "uuid")} and codes.kind = 'passkey'
    and ${isValid(param("now", "timestamptz"))} and ${isOfActiveUser})`;
}
