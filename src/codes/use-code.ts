import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";
import { isValid } from "./conditions.ts";
import type { FoundCode } from "./find-code.ts";
import type { CodeKind } from "./kinds.ts";

/** The values that a statement needs to use a code of the user that it changes. */
export interface UseCodeValues extends EventValues {
  codeId: string;
  /**
   * The user's sequence when the code was found. Any change since then, including another use of the code, increments
   * it.
   */
  sequence: bigint;
}

/** The values that identify a code and its user, who is also the editor. */
export function codeToValues({ orgId, userId, id, user }: FoundCode) {
  return { ownerId: orgId, aggregateId: userId, editorId: userId, codeId: id, sequence: user.sequence };
}

/** The part of a statement, to be named `code`, that selects the code if it is valid. */
export function readValidCode<Values extends UseCodeValues>(param: Param<Values>, kind: CodeKind) {
  return sql<{ org_id: string; user_id: string; id: string; recipient: string | null }>`(
    select codes.org_id, codes.user_id, codes.id, codes.recipient from codes
    where codes.org_id = ${param("ownerId", "uuid")} and codes.id = ${param("codeId", "uuid")}
      and codes.kind = ${sql.lit(kind)} and ${isValid(param("now", "timestamptz"))})`;
}

/** The condition on `users`: the unchanged user of the part `code`, whose recipient is still the user's. */
export function isUnchangedUser<Values extends UseCodeValues>(param: Param<Values>, recipient: "email" | "phone") {
  return sql<boolean>`(
    users.org_id = ${param("ownerId", "uuid")} and users.id = code.user_id and ${sql.ref(`users.${recipient}`)} = code.recipient
    and users.sequence = ${param("sequence", "bigint")})`;
}

/** The part of a statement that marks the part `code` as used if the part `changed` has changed the user. */
export function markCodeUsed<Values extends UseCodeValues>(param: Param<Values>): RawBuilder<Record<string, never>> {
  return sql<Record<string, never>>`(
    update codes set used_at = changed.changed_at from code, changed
    where codes.org_id = ${param("ownerId", "uuid")} and codes.id = code.id)`;
}
