import { type SqlBool, sql } from "kysely";
import { namedColumns, type RowOf } from "../../database/columns-of.ts";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import { matchesText, searchedText, type TextMatch } from "../../database/text-match.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { orgList } from "../../fields/read-list.ts";

const COLUMNS = {
  ...namedColumns("org_domains", ["name", "validation_type", "sequence", "created_at", "changed_at"]),
  is_verified: sql<boolean>`org_domains.verified_at is not null`,
  is_primary: sql<boolean>`orgs.primary_domain is not distinct from org_domains.name`,
};

/** A domain of an organization in responses. */
export type DomainRow = RowOf<typeof COLUMNS>;

/** A search for domains. */
export interface DomainSearch {
  readonly page: CheckedListQuery;
  readonly conditions: readonly { readonly name: string; readonly match: TextMatch }[];
}

/**
 * Lists the domains of the organization that satisfy all conditions (docs/reference/organizations.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export const listOrgDomains = orgList(
  ({ conditions }: DomainSearch, { orgId }): ListSource<DomainRow> => ({
    from: sql`org_domains join orgs on orgs.id = org_domains.org_id`,
    columns: COLUMNS,
    scope: sql<SqlBool>`org_domains.org_id = ${orgId}::uuid`,
    filters: conditions.map(({ name, match }) => matchesText(NAME, match, name)),
    order: DOMAIN_ORDER,
  }),
);

export const DOMAIN_ORDER: readonly SortKey[] = [{ value: sql`org_domains.name`, type: "text" }];

const NAME = searchedText(sql`org_domains.name`);
