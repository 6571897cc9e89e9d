import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { SortKey } from "../database/list-page.ts";
import { matchesText, searchedText, type TextMatch } from "../database/text-match.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { IDP_COLUMNS, type IdpRow } from "./idp-row.ts";

/** A search for providers. */
export interface IdpSearch {
  readonly page: CheckedListQuery;
  readonly sortKey: IdpSortKey;
  readonly conditions: readonly IdpCondition[];
}

export type IdpSortKey = "creation" | "name";

/** A condition of a search for providers. */
export type IdpCondition =
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "name"; readonly name: string; readonly match: TextMatch }
  | { readonly kind: "owner"; readonly isInstance: boolean };

/**
 * Lists the providers that satisfy all conditions: those of the instance, and, for an organization, also its own
 * (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another owner, or for a failure of the database.
 */
export async function listIdps(
  parts: ListParts,
  { page, sortKey, conditions }: IdpSearch,
  owner: IdpOwner,
  call: Call,
): Promise<ListResult<IdpRow>> {
  const source = {
    from: sql.table("idps"),
    columns: COLUMNS,
    scope: sql<SqlBool>`idps.owner_id in (${owner.id}::uuid, ${call.instanceId}::uuid)`,
    filters: conditions.map(toFilter),
    order: orderOfIdps(sortKey),
  };
  return await readList<IdpRow>(parts, source, page, owner.id, call);
}

const COLUMNS = Object.fromEntries(IDP_COLUMNS.map((name) => [name, sql.ref(`idps.${name}`)])) as Record<
  keyof IdpRow,
  RawBuilder<unknown>
>;

const NAME = searchedText(sql`idps.name`, { isSorted: true });

/** The order of a list of providers: by the key, then by id. */
export function orderOfIdps(key: IdpSortKey): readonly SortKey[] {
  const first: SortKey =
    key === "name" ? { value: NAME.folded, type: "text" } : { value: sql`idps.created_at`, type: "timestamptz" };
  return [first, { value: sql`idps.id`, type: "uuid" }];
}

function toFilter(condition: IdpCondition): RawBuilder<SqlBool> {
  switch (condition.kind) {
    case "id":
      return isId(condition.id) ? sql`idps.id = ${condition.id}::uuid` : sql`false`;
    case "name":
      return matchesText(NAME, condition.match, condition.name);
    case "owner":
      return sql`(idps.owner_id in (select id from instance)) = ${condition.isInstance}::boolean`;
    default:
      return condition satisfies never;
  }
}
