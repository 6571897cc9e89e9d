import { create } from "@bufbuild/protobuf";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type ListOrgsRequest,
  ListOrgsRequestSchema,
  type ListOrgsResponse,
  ListOrgsResponseSchema,
  OrgFieldName,
  type OrgQuery,
  OrgState,
} from "../../gen/signet/v1/org_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { SortKey } from "../database/list-page.ts";
import { matchesText, type SearchedText } from "../database/text-match.ts";
import type { Problems } from "../errors.ts";
import { type CheckedListQuery, checkListQuery } from "../fields/list-query.ts";
import { type ListParts, readList } from "../fields/read-list.ts";
import { toTextMatch } from "../fields/text-query-method.ts";
import { userNameKey } from "../fields/user-name.ts";
import { type OrgRow, toOrg } from "./org-row.ts";

/** A checked ListOrgsRequest. */
export interface OrgSearch {
  readonly page: CheckedListQuery;
  readonly order: readonly SortKey[];
  readonly filters: readonly RawBuilder<SqlBool>[];
  readonly sortingColumn: OrgFieldName;
}

/** Checks the rules of ListOrgsRequest that the schema cannot express. */
export function checkListOrgs(request: ListOrgsRequest, problems: Problems): OrgSearch {
  const { sortingColumn } = request;
  const order = [sortingColumn === OrgFieldName.NAME ? BY_NAME : BY_CREATION, BY_ID];
  return {
    page: checkListQuery(ListOrgsRequestSchema, request, order, problems),
    order,
    filters: request.queries.map((query, n) => toFilter(query, `queries[${n}]`, problems)),
    sortingColumn,
  };
}

/**
 * Lists the organizations of the instance that satisfy all conditions (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another instance, or for a failure of the database.
 */
export async function listOrgs(
  parts: ListParts,
  { page, order, filters, sortingColumn }: OrgSearch,
  call: Call,
): Promise<ListOrgsResponse> {
  // A caller with iam.read may read every organization.
  const source = { from: sql.table("orgs"), columns: COLUMNS, scope: sql<SqlBool>`true`, filters, order };
  const { details, rows } = await readList<OrgRow>(parts, source, page, call.instanceId, call);
  return create(ListOrgsResponseSchema, { details, sortingColumn, result: rows.map(toOrg) });
}

const COLUMNS = {
  id: sql.ref("orgs.id"),
  name: sql.ref("orgs.name"),
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

const BY_NAME: SortKey = { value: NAME.folded, type: "text" };
const BY_CREATION: SortKey = { value: sql`orgs.created_at`, type: "timestamptz" };
const BY_ID: SortKey = { value: sql`orgs.id`, type: "uuid" };

function toFilter({ query }: OrgQuery, at: string, problems: Problems): RawBuilder<SqlBool> {
  switch (query.case) {
    case "nameQuery":
      return matchesText(NAME, toTextMatch(query.value.method), query.value.name);
    case "idQuery":
      return isId(query.value.id) ? sql`orgs.id = ${query.value.id}::uuid` : sql`false`;
    case "stateQuery":
      if (query.value.state === OrgState.UNSPECIFIED) problems.add(`${at}.stateQuery.state`, "is required");
      return sql`${query.value.state === OrgState.ACTIVE}::boolean`;
    default:
      problems.add(at, "must contain a condition");
      return sql`false`;
  }
}
