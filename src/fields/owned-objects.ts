import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { byCreation, type RowOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import type { ListSource } from "../database/list-page.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { SignetError } from "../errors.ts";
import type { CheckedListQuery } from "./list-query.ts";
import { orgList } from "./read-list.ts";

type OwnedTable = "apis" | "apps" | "scim_connections" | "webhooks";

/** What is read of each object, by the names in its row. */
type Columns = Readonly<Record<string, RawBuilder<unknown>>>;

interface OwnedSearch {
  readonly page: CheckedListQuery;
  readonly filters?: readonly RawBuilder<SqlBool>[];
}

/**
 * The list of the objects in a table, each of which belongs to an organization, sorted by the time of creation.
 *
 * `list` returns those of the organization that satisfy all filters.
 *
 * @throws SignetError (from `list`) INVALID_ARGUMENT for a page token of another organization, or for a failure of the
 *   database.
 */
export function ownedList<const Read extends Columns>(table: OwnedTable, columns: Read) {
  const order = byCreation(table);
  const list = orgList(({ filters = [] }: OwnedSearch, { orgId }) => {
    const scope = sql<SqlBool>`${sql.ref(`${table}.owner_id`)} = ${orgId}::uuid`;
    const source: ListSource<RowOf<Read>> = { from: sql.table(table), columns, scope, filters, order };
    return source;
  });
  return { order, list };
}

/**
 * Reads an object in such a table by its id.
 *
 * @param notFound The error for an id that is of no object of the organization.
 * @throws SignetError (from the result) `notFound`, or for a failure of the database.
 */
export function ownedObject<const Read extends Columns>(
  table: OwnedTable,
  columns: Read,
  notFound: (id: string) => SignetError,
) {
  type Row = RowOf<Read>;
  // The columns that all of these tables have.
  const from = table as "apis";
  const select = prepareStatement<{ orgId: string; id: string }, Row>((db, param) =>
    db
      .selectFrom(from)
      .select(Object.entries(columns).map(([name, column]) => sql`${column}`.as(name)))
      .where("owner_id", "=", param("orgId", "uuid"))
      .where("id", "=", param("id", "uuid"))
      .$castTo<Row>(),
  );
  return async ({ db }: { readonly db: Database }, { id }: { readonly id: string }, call: Call): Promise<Row> => {
    const [row] = isId(id) ? await select(db, { orgId: call.orgId, id }, call) : [];
    if (row === undefined) throw notFound(id);
    return row;
  };
}
