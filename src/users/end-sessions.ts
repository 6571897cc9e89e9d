import { type Expression, type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";

/**
 * The part of a statement that ends the sessions, and the tokens of applications, of the user whose row the part `changed`
 * returns.
 *
 * @param kept The id of a session that goes on, with its tokens; null if none does. Grants then stay: without a session and
 *   tokens they allow nothing, and those of the session that goes on belong to it.
 */
export function endSessions<Values extends EventValues>(
  param: Param<Values>,
  changed: string,
  kept: Expression<string | null> = sql<null>`null::text`,
): RawBuilder<object> {
  return sql<object>`(
    delete from oidc_artifacts using ${sql.table(changed)} as changed
    where oidc_artifacts.user_id = ${param("aggregateId", "uuid")} and (${kept} is null
      or oidc_artifacts.kind <> 'Grant' and oidc_artifacts.session_uid is distinct from ${kept}))`;
}
