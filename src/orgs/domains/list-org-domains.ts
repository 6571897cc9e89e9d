import { type SqlBool, sql } from "kysely";
import type { Call } from "../../call.ts";
import { namedColumns } from "../../database/columns-of.ts";
import type { ListSource, SortKey } from "../../database/list-page.ts";
import { matchesText, searchedText, type TextMatch } from "../../database/text-match.ts";
import type { ObjectRow } from "../../events/object-details.ts";
import type { CheckedListQuery } from "../../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../../fields/read-list.ts";
import type { DomainProofType } from "./domain-proof.ts";

/** A domain of an organization in responses. */
export interface DomainRow extends ObjectRow {
  name: string;
  is_verified: boolean;
  is_primary: boolean;
  validation_type: DomainProofType | null;
}

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
export async function listOrgDomains(
  parts: ListParts,
  { page, conditions }: DomainSearch,
  call: Call,
): Promise<ListResult<DomainRow>> {
  const source: ListSource<DomainRow> = {
    from: sql`org_domains join orgs on orgs.id = org_domains.org_id`,
    columns: {
      ...namedColumns("org_domains", ["name", "validation_type", "sequence", "created_at", "changed_at"]),
      is_verified: sql`org_domains.verified_at is not null`,
      is_primary: sql`orgs.primary_domain is not distinct from org_domains.name`,
    },
    scope: sql<SqlBool>`org_domains.org_id = ${call.orgId}::uuid`,
    filters: conditions.map(({ name, match }) => matchesText(NAME, match, name)),
    order: DOMAIN_ORDER,
  };
  return await readList(parts, source, page, call.orgId, call);
}

export const DOMAIN_ORDER: readonly SortKey[] = [{ value: sql`org_domains.name`, type: "text" }];

const NAME = searchedText(sql`org_domains.name`);
