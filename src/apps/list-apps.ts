import { type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import type { SortKey } from "../database/list-page.ts";
import { matchesText, searchedText, type TextMatch } from "../database/text-match.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { APP_COLUMNS, type AppRow } from "./app-row.ts";

/** A search for applications by name. */
export interface AppSearch {
  readonly page: CheckedListQuery;
  readonly names: readonly { readonly name: string; readonly match: TextMatch }[];
}

/**
 * Lists the applications of the organization with all of the names, sorted by the time of creation (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listApps(parts: ListParts, { page, names }: AppSearch, call: Call): Promise<ListResult<AppRow>> {
  const scope = sql<SqlBool>`apps.owner_id = ${call.orgId}::uuid`;
  const filters = names.map(({ name, match }) => matchesText(NAME, match, name));
  const source = { from: sql.table("apps"), columns: APP_COLUMNS, scope, filters, order: APP_ORDER };
  return await readList<AppRow>(parts, source, page, call.orgId, call);
}

/** The order of a list of applications. */
export const APP_ORDER: readonly SortKey[] = [
  { value: sql`apps.created_at`, type: "timestamptz" },
  { value: sql`apps.id`, type: "uuid" },
];

const NAME = searchedText(sql`apps.name`);
