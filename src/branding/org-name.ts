import { type Expression, type RawBuilder, sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { cutTo } from "../fields/name.ts";
import type { Label } from "./label-settings.ts";

/** In code points. Longer names of organizations are cut at the top of pages, and in the titles of windows. */
const MAX_LENGTH = 60;

/** The registered name of an organization; null for `default`, which tells users nothing. */
export function registeredName(orgId: Expression<string | null>): RawBuilder<string | null> {
  return sql<string | null>`(select orgs.name from orgs where orgs.id = ${orgId} and orgs.name <> 'default')`;
}

/**
 * The name of an organization for a sign-in page; null if it tells users nothing: of the only organization, and `default`.
 * Finds out whether there is another one with two lookups in the key: `exists` may be planned to read the table.
 */
export const shownOrgName = sql<string | null>`
  case when orgs.name <> 'default'
    and (select id from orgs order by id limit 1) <> (select id from orgs order by id desc limit 1)
  then orgs.name end`;

/** A label policy whose name is that of the organization if neither it nor the instance has set one. */
export function withOrgName(label: Label, registered: string | null): Label {
  if (label.name !== "" || registered === null) return label;
  const name = cutTo(MAX_LENGTH, registered);
  return { ...label, name: name === registered ? name : `${name}…` };
}

/**
 * Finds the registered name of an owner of a branding; null for `default`, and for the instance.
 *
 * @throws SignetError for a failure of the database.
 */
export async function findRegisteredName(db: Database, ownerId: string, caller: QueryCaller): Promise<string | null> {
  const [row] = await selectName(db, { ownerId }, caller);
  return row?.name ?? null;
}

const selectName = prepareStatement<{ ownerId: string }, { name: string | null }>((db, param) =>
  db.selectNoFrom(registeredName(param("ownerId", "uuid")).as("name")),
);
