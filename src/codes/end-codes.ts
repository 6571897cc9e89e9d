import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";
import type { CodeKind } from "./kinds.ts";

/**
 * The part of a statement that ends the codes of a kind of the user whose row the part `changed` returns. All rows of the
 * part are of one organization; see `orgOf`.
 */
export function endCodes<Values extends EventValues>(
  param: Param<Values>,
  kind: CodeKind,
  changed: string,
): RawBuilder<object> {
  return sql<object>`(
    update codes set expires_at = ${param("now", "timestamptz")}
    from ${sql.table(changed)} as changed
    where codes.org_id = (select ${param("ownerId", "uuid")} from ${sql.table(changed)} as changed limit 1)
      and codes.user_id = ${param("aggregateId", "uuid")}
      and codes.kind = ${sql.lit(kind)} and codes.used_at is null
      and (codes.expires_at is null or codes.expires_at > ${param("now", "timestamptz")}))`;
}
