import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { EventValues } from "../events/append-events.ts";
import type { CodeKind } from "./kinds.ts";

/** The part of a statement that ends the codes of one kind for the user whose row the part `changed` returns. */
export function endCodes<Values extends EventValues>(
  param: Param<Values>,
  kind: CodeKind,
  changed: string,
): RawBuilder<object> {
  return sql<object>`(
    update codes set expires_at = ${param("now", "timestamptz")}
    from ${sql.table(changed)} as changed
    where codes.org_id = ${orgOfChanged(param, changed)} and codes.user_id = ${param("aggregateId", "uuid")}
      and codes.kind = ${sql.lit(kind)} and ${isOpen(param)})`;
}

/**
 * The part of a statement that ends the links requested as the user whose row the part `changed` returns: those that
 * register a passkey, and those that replace the email address. An attacker with one of the user's sessions may have
 * requested them. Links requested by other users are kept.
 */
export function endOwnLinks<Values extends EventValues>(param: Param<Values>, changed: string): RawBuilder<object> {
  return sql<object>`(
    update codes set expires_at = ${param("now", "timestamptz")}
    from ${sql.table(changed)} as changed, events
    where codes.org_id = ${orgOfChanged(param, changed)} and codes.user_id = ${param("aggregateId", "uuid")}
      and codes.kind in ('passkey', 'email-change') and ${isOpen(param)}
      and events.owner_id = ${orgOfChanged(param, changed)} and events.aggregate_id = codes.user_id
      and events.sequence = codes.sequence and events.editor_id = codes.user_id)`;
}

function isOpen<Values extends EventValues>(param: Param<Values>): RawBuilder<boolean> {
  return sql<boolean>`(
    codes.used_at is null and (codes.expires_at is null or codes.expires_at > ${param("now", "timestamptz")}))`;
}

/** The organization of all rows of the part `changed`, as one value; see `orgOf`. */
function orgOfChanged<Values extends EventValues>(param: Param<Values>, changed: string): RawBuilder<string> {
  return sql<string>`(select ${param("ownerId", "uuid")} from ${sql.table(changed)} as changed limit 1)`;
}
