import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { SortKey } from "../database/list-page.ts";
import { matchesText, type SearchedText, type TextMatch } from "../database/text-match.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { OrgRow } from "./org-row.ts";

/** A search for organizations. */
export interface OrgSearch {
  readonly page: CheckedListQuery;
  readonly sortKey: OrgSortKey;
  readonly conditions: readonly OrgCondition[];
}

export type OrgSortKey = "creation" | "name";

/** A condition of a search for organizations. */
export type OrgCondition =
  | { readonly kind: "name"; readonly name: string; readonly match: TextMatch }
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "state"; readonly state: OrgRow["state"] };

/**
 * Lists the organizations of the instance that satisfy all conditions (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another instance, or for a failure of the database.
 */
export async function listOrgs(
  parts: ListParts,
  { page, sortKey, conditions }: OrgSearch,
  call: Call,
): Promise<ListResult<OrgRow>> {
  const source = {
    from: sql.table("orgs"),
    columns: COLUMNS,
    // A caller with iam.read may read every organization.
    scope: sql<SqlBool>`orgs.removed_at is null`,
    filters: conditions.map(toFilter),
    order: orderOfOrgs(sortKey),
  };
  return await readList<OrgRow>(parts, source, page, call.instanceId, call);
}

const COLUMNS = {
  id: sql.ref("orgs.id"),
  name: sql.ref("orgs.name"),
  state: sql.ref<OrgRow["state"]>("orgs.state"),
  primary_domain: sql.ref("orgs.primary_domain"),
  sequence: sql.ref("orgs.sequence"),
  created_at: sql.ref("orgs.created_at"),
  changed_at: sql.ref("orgs.changed_at"),
};

const NAME: SearchedText = {
  value: sql`orgs.name`,
  folded: sql`orgs.name_key`,
  fold: (text) => sql`${userNameKey(text)}::text`,
  isSorted: true,
};

/** The order of a list of organizations: by the key, then by id. */
export function orderOfOrgs(key: OrgSortKey): readonly SortKey[] {
  const first: SortKey =
    key === "name" ? { value: NAME.folded, type: "text" } : { value: sql`orgs.created_at`, type: "timestamptz" };
  return [first, { value: sql`orgs.id`, type: "uuid" }];
}

function toFilter(condition: OrgCondition): RawBuilder<SqlBool> {
  switch (condition.kind) {
    case "name":
      return matchesText(NAME, condition.match, condition.name);
    case "id":
      return isId(condition.id) ? sql`orgs.id = ${condition.id}::uuid` : sql`false`;
    case "state":
      return sql`orgs.state = ${condition.state}`;
    default:
      return condition satisfies never;
  }
}
