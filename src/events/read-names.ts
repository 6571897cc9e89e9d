import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type ApiActor, isAllowedIn } from "../actor.ts";
import type { QueryCaller } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { runQuery } from "../database/run-query.ts";
import type { Permission } from "../roles.ts";

/** The tables of objects with names, with their columns of the owner and of the name, and the permission that reads them. */
const NAMED: readonly (readonly [table: string, owner: string, name: RawBuilder<string | null>, Permission])[] = [
  ["users", "org_id", sql`coalesce(display_name, user_name)`, "user.read"],
  ["apps", "owner_id", sql`name`, "org.app.read"],
  ["apis", "owner_id", sql`name`, "org.app.read"],
  ["idps", "owner_id", sql`name`, "org.idp.read"],
  ["webhooks", "owner_id", sql`name`, "org.hook.read"],
  ["scim_connections", "owner_id", sql`name`, "org.scim.read"],
  // The row of a removed organization is deleted later.
  ["orgs", "id", sql`case when removed_at is null then name end`, "org.read"],
];

interface NamedEvent {
  readonly owner_id: string;
  readonly aggregate_id: string;
  readonly payload: object | null;
}

interface NamedRow {
  readonly id: string;
  readonly name: string | null;
}

/** Reads the names of the objects of events, and of those in their payloads, as far as the caller may read them. */
export async function readNames(
  db: Database,
  events: readonly NamedEvent[],
  { scope, call }: { readonly scope: "org" | "instance"; readonly call: ApiActor & QueryCaller },
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(events.flatMap(idsOf))];
  const tables = NAMED.filter(([, , , permission]) => isAllowedIn(scope, call, permission));
  if (ids.length === 0 || tables.length === 0) return new Map();
  const selects = tables.map(([table, owner, name]) => {
    const isVisible = scope === "org" ? sql<SqlBool>`${sql.ref(owner)} = ${call.orgId}::uuid` : sql<SqlBool>`true`;
    return sql`select id, ${name} as name from ${sql.table(table)} where id = any(${ids}::uuid[]) and ${isVisible}`;
  });
  const statement = sql<NamedRow>`${sql.join(selects, sql` union all `)}`;
  const rows = await runQuery<NamedRow>(db.lists, statement.compile(db), call);
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name]])));
}

/** The ids in an event: those of the object and its owner, and those that are values of its payload. */
export function idsOf({ owner_id, aggregate_id, payload }: NamedEvent): string[] {
  const values = Object.values(payload ?? {}).filter((value): value is string => typeof value === "string");
  return [owner_id, aggregate_id, ...values.filter(isId)];
}
