import type { Call, QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { type ListSource, listPage } from "../database/list-page.ts";
import { type CheckedListQuery, type ListDetails, pageOf, toListDetails } from "./list-query.ts";

/** The dependencies of a list. */
export interface ListParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** A page of a list. */
export interface ListResult<Row> {
  readonly details: ListDetails;
  readonly rows: readonly Row[];
}

/**
 * Reads the requested page of a list.
 *
 * @param ownerId The owner of the list: an organization or the instance.
 * @throws SignetError INVALID_ARGUMENT for a page token of another owner's list, or for a failure of the database.
 */
export async function readList<Row extends object>(
  { db, clock }: ListParts,
  source: ListSource<Row>,
  page: CheckedListQuery,
  ownerId: string,
  caller: QueryCaller,
): Promise<ListResult<Row>> {
  const query = pageOf(page, ownerId);
  const now = clock();
  const found = await listPage(db, source, query, caller);
  return { details: toListDetails(page, ownerId, found, now), rows: found.rows };
}

/**
 * An operation that lists what belongs to the organization of the call: a page of the source that `toSource` returns,
 * which may throw.
 *
 * @throws (from the result) SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of
 *   the database.
 */
export function orgList<
  Search extends { readonly page: CheckedListQuery },
  Row extends object,
  Parts extends ListParts = ListParts,
>(toSource: (search: Search, call: Call, parts: Parts) => ListSource<Row> | Promise<ListSource<Row>>) {
  return async (parts: Parts, search: Search, call: Call): Promise<ListResult<Row>> =>
    await readList(parts, await toSource(search, call, parts), search.page, call.orgId, call);
}
