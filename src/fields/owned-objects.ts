import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { byCreation, type RowOf } from "../database/columns-of.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { SignetError } from "../errors.ts";
import type { CheckedListQuery } from "./list-query.ts";
import { type ListParts, type ListResult, readList } from "./read-list.ts";

type OwnedTable = "apis" | "apps" | "scim_connections" | "webhooks";

/**
 * How the objects in a table are read: each belongs to an organization.
 *
 * @param columns What is read of each object, by the names in its row.
 * @param notFound The error for an id that is of no object of the organization.
 */
export function ownedObjects<const Columns extends Readonly<Record<string, RawBuilder<unknown>>>>(
  table: OwnedTable,
  columns: Columns,
  notFound: (id: string) => SignetError,
) {
  type Row = RowOf<Columns>;
  // The columns that all of these tables have.
  const from = table as "apis";
  const order = byCreation(table);
  const select = prepareStatement<{ orgId: string; id: string }, Row>((db, param) =>
    db
      .selectFrom(from)
      .select(Object.entries(columns).map(([name, column]) => sql`${column}`.as(name)))
      .where("owner_id", "=", param("orgId", "uuid"))
      .where("id", "=", param("id", "uuid"))
      .$castTo<Row>(),
  );
  return {
    order,

    /**
     * Lists those of the organization that satisfy all filters, sorted by the time of creation.
     *
     * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
     */
    async list(
      parts: ListParts,
      { page, filters = [] }: { readonly page: CheckedListQuery; readonly filters?: readonly RawBuilder<SqlBool>[] },
      call: Call,
    ): Promise<ListResult<Row>> {
      const scope = sql<SqlBool>`${sql.ref(`${table}.owner_id`)} = ${call.orgId}::uuid`;
      return await readList<Row>(
        parts,
        { from: sql.table(table), columns, scope, filters, order },
        page,
        call.orgId,
        call,
      );
    },

    /** @throws SignetError `notFound`, or for a failure of the database. */
    async get({ db }: { readonly db: Database }, { id }: { readonly id: string }, call: Call): Promise<Row> {
      const [row] = isId(id) ? await select(db, { orgId: call.orgId, id }, call) : [];
      if (row === undefined) throw notFound(id);
      return row;
    },
  };
}
