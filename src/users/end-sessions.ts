import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";

/**
 * The part of a statement that ends the sessions, and the tokens of applications, of the user whose row the part `changed`
 * returns.
 */
export function endSessions<Values extends EventValues>(param: Param<Values>, changed: string): RawBuilder<object> {
  return sql<object>`(
    delete from oidc_artifacts using ${sql.table(changed)} as changed
    where oidc_artifacts.user_id = ${param("aggregateId", "uuid")})`;
}
