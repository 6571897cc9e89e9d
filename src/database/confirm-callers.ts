import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import type { RememberedCaller } from "../call.ts";
import { isActiveUser } from "./active.ts";
import type { Command } from "./command.ts";
import { createCommandList, isExpectedOnce } from "./command-list.ts";
import type { Param } from "./prepare.ts";
import type { Tables } from "./tables.ts";

const REMEMBERED_CALLERS = createCommandList<RememberedCaller>({
  tokenHash: "bytea",
  now: "timestamptz",
  instanceId: "uuid",
  instanceRoles: "text[]",
  orgId: "uuid",
  orgRoles: "text[]",
});

/**
 * The list of commands, or an empty list if one of the callers is no longer as remembered: then the statement
 * changes nothing, and returns no rows. A caller's user, organization and instance never change, so only the validity
 * of the token, the roles and the existence of the target organization are checked. Gained roles count too, because the operation may depend on a missing one.
 */
export function commandsIfConfirmed(
  db: Kysely<Tables>,
  param: Param<{ commands: string; callers: string }>,
): Expression<string> {
  const callers = param("callers", "jsonb");
  const confirmed = db
    .selectFrom(REMEMBERED_CALLERS.rows(callers).as("caller"))
    .innerJoin("tokens", (join) => join.on("tokens.hash", "=", sql<Buffer>`caller."tokenHash"`))
    .innerJoin("users", (join) =>
      join.onRef("users.org_id", "=", "tokens.org_id").onRef("users.id", "=", "tokens.user_id"),
    )
    .where(isExpectedOnce)
    // As conditions of the join, they would make PostgreSQL read all partitions of users.
    .select(
      sql<number>`count(*) filter (where ${isTokenValid(sql<Date>`caller.now`)} and ${hasRoles}
        and (select orgs.removed_at is null from orgs where orgs.id = caller."orgId"))`.as("count"),
    );
  const commands = param("commands", "jsonb");
  return sql<string>`case when (${confirmed}) = jsonb_array_length(${callers}) then ${commands} else '[]' end`;
}

/** Whether the roles are exactly the remembered ones. */
const hasRoles = sql<boolean>`(
  select count(*) = cardinality(caller."instanceRoles") + cardinality(caller."orgRoles")
    and coalesce(bool_and(members.role = any(
      case when members.scope_id = caller."orgId" then caller."orgRoles" else caller."instanceRoles" end)), true)
  from members
  where members.user_org_id = users.org_id and members.user_id = users.id
    and members.scope_id in (caller."instanceId", caller."orgId"))`;

/** The remembered callers of commands, each once, as a list for the statement. Undefined if there are none. */
export function toCallers(commands: readonly Command[]): string | undefined {
  const callers = new Map<string, string>();
  for (const { toConfirm } of commands) {
    if (toConfirm === undefined) continue;
    // A call that is older than a change of roles remembers others.
    const { tokenHash, orgId, instanceRoles, orgRoles } = toConfirm;
    const key = JSON.stringify([tokenHash, orgId, instanceRoles, orgRoles]);
    if (!callers.has(key)) callers.set(key, REMEMBERED_CALLERS.toJson(toConfirm));
  }
  return callers.size === 0 ? undefined : `[${[...callers.values()].join()}]`;
}

/** Whether the token in a row of `tokens` is valid for the user in the row of `users`. */
export function isTokenValid(now: Expression<Date>): RawBuilder<boolean> {
  return sql<boolean>`(${isActiveUser("users")} and tokens.revoked_at is null
    and (tokens.expires_at is null or tokens.expires_at > ${now}))`;
}
