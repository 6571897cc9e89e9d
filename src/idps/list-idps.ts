import { create } from "@bufbuild/protobuf";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { IDPFieldName, IDPOwnerType } from "../../gen/signet/v1/idp_config_pb.js";
import {
  type IDPQuery,
  type ListIDPsRequest,
  ListIDPsRequestSchema,
  type ListIDPsResponse,
  ListIDPsResponseSchema,
} from "../../gen/signet/v1/idp_instance_pb.js";
import {
  type ListOrgIDPsRequest,
  ListOrgIDPsRequestSchema,
  type ListOrgIDPsResponse,
  ListOrgIDPsResponseSchema,
  type OrgIDPQuery,
} from "../../gen/signet/v1/idp_org_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { SortKey } from "../database/list-page.ts";
import { matchesText, searchedText } from "../database/text-match.ts";
import type { Problems } from "../errors.ts";
import { type CheckedListQuery, checkListQuery } from "../fields/list-query.ts";
import { type ListParts, readList } from "../fields/read-list.ts";
import { toTextMatch } from "../fields/text-query-method.ts";
import { type IdpOwner, instanceOwner, orgOwner } from "./idp-owner.ts";
import { IDP_COLUMNS, type IdpRow, toIdp } from "./idp-row.ts";

/** A checked ListIDPsRequest or ListOrgIDPsRequest. */
export interface IdpSearch {
  readonly page: CheckedListQuery;
  readonly order: readonly SortKey[];
  readonly filters: readonly RawBuilder<SqlBool>[];
  readonly sortingColumn: IDPFieldName;
}

/** Checks the rules of ListIDPsRequest that the schema cannot express. */
export function checkListIdps(request: ListIDPsRequest, problems: Problems): IdpSearch {
  const search = checkQueries(request, problems);
  return { ...search, page: checkListQuery(ListIDPsRequestSchema, request, search.order, problems) };
}

/** Checks the rules of ListOrgIDPsRequest that the schema cannot express. */
export function checkListOrgIdps(request: ListOrgIDPsRequest, problems: Problems): IdpSearch {
  const search = checkQueries(request, problems);
  return { ...search, page: checkListQuery(ListOrgIDPsRequestSchema, request, search.order, problems) };
}

/**
 * Lists the providers of the instance that satisfy all conditions (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another instance, or for a failure of the database.
 */
export async function listIdps(parts: ListParts, search: IdpSearch, call: Call): Promise<ListIDPsResponse> {
  return create(ListIDPsResponseSchema, await list(parts, search, instanceOwner(call), call));
}

/**
 * Lists the providers of the organization and of the instance that satisfy all conditions (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listOrgIdps(parts: ListParts, search: IdpSearch, call: Call): Promise<ListOrgIDPsResponse> {
  return create(ListOrgIDPsResponseSchema, await list(parts, search, orgOwner(call), call));
}

async function list(parts: ListParts, search: IdpSearch, owner: IdpOwner, call: Call) {
  const { page, order, filters, sortingColumn } = search;
  const scope = sql<SqlBool>`idps.owner_id in (${owner.id}::uuid, ${call.instanceId}::uuid)`;
  const source = { from: sql.table("idps"), columns: COLUMNS, scope, filters, order };
  const { details, rows } = await readList<IdpRow>(parts, source, page, owner.id, call);
  return { details, sortingColumn, result: rows.map((row) => toIdp(row, call.instanceId)) };
}

const COLUMNS = Object.fromEntries(IDP_COLUMNS.map((name) => [name, sql.ref(`idps.${name}`)])) as Record<
  keyof IdpRow,
  RawBuilder<unknown>
>;

const NAME = searchedText(sql`idps.name`, { isSorted: true });

function orderOf(sortingColumn: IDPFieldName): readonly SortKey[] {
  const first: SortKey =
    sortingColumn === IDPFieldName.IDP_FIELD_NAME_NAME
      ? { value: NAME.folded, type: "text" }
      : { value: sql`idps.created_at`, type: "timestamptz" };
  return [first, { value: sql`idps.id`, type: "uuid" }];
}

function checkQueries({ sortingColumn, queries }: ListIDPsRequest | ListOrgIDPsRequest, problems: Problems) {
  return {
    order: orderOf(sortingColumn),
    filters: queries.map((query, n) => toFilter(query, `queries[${n}]`, problems)),
    sortingColumn,
  };
}

function toFilter({ query }: IDPQuery | OrgIDPQuery, at: string, problems: Problems): RawBuilder<SqlBool> {
  switch (query.case) {
    case "idpIdQuery":
      return isId(query.value.id) ? sql`idps.id = ${query.value.id}::uuid` : sql`false`;
    case "idpNameQuery":
      return matchesText(NAME, toTextMatch(query.value.method), query.value.name);
    case "ownerTypeQuery": {
      const { ownerType } = query.value;
      if (ownerType === IDPOwnerType.IDP_OWNER_TYPE_UNSPECIFIED) {
        problems.add(`${at}.ownerTypeQuery.ownerType`, "is required");
      }
      const isSystem = ownerType === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM;
      return sql`(idps.owner_id in (select id from instance)) = ${isSystem}::boolean`;
    }
    default:
      problems.add(at, "must contain a condition");
      return sql`false`;
  }
}
