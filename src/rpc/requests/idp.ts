import type { DescMessage } from "@bufbuild/protobuf";
import { IDPFieldName, IDPOwnerType } from "../../../gen/signet/v1/idp_config_pb.js";
import type { IDPQuery, ListIDPsRequest } from "../../../gen/signet/v1/idp_instance_pb.js";
import type { ListOrgIDPsRequest, OrgIDPQuery } from "../../../gen/signet/v1/idp_org_pb.js";
import type { ListProvidersRequest, ProviderQuery } from "../../../gen/signet/v1/provider_calls_pb.js";
import type { Problems } from "../../errors.ts";
import { type IdpCondition, type IdpSearch, orderOfIdps } from "../../idps/list-idps.ts";
import { toListQuery } from "./list-query.ts";
import { toTextMatch } from "./text-match.ts";

/** The fields for `listIdps`. */
export function toIdpSearch(
  request: ListIDPsRequest | ListOrgIDPsRequest | ListProvidersRequest,
  problems: Problems,
  schema: DescMessage,
): IdpSearch {
  const { sortingColumn } = { sortingColumn: IDPFieldName.IDP_FIELD_NAME_UNSPECIFIED, ...request };
  const sortKey = sortingColumn === IDPFieldName.IDP_FIELD_NAME_NAME ? "name" : "creation";
  const queries: readonly (IDPQuery | OrgIDPQuery | ProviderQuery)[] = request.queries;
  return {
    page: toListQuery(schema, request, orderOfIdps(sortKey), problems),
    sortKey,
    conditions: queries.flatMap((query, n) => toCondition(query, `queries[${n}]`, problems)),
  };
}

function toCondition(
  { query }: IDPQuery | OrgIDPQuery | ProviderQuery,
  at: string,
  problems: Problems,
): IdpCondition | [] {
  switch (query.case) {
    case "idpIdQuery":
      return { kind: "id", id: query.value.id };
    case "idpNameQuery":
      return { kind: "name", name: query.value.name, match: toTextMatch(query.value.method) };
    case "ownerTypeQuery": {
      const { ownerType } = query.value;
      if (ownerType === IDPOwnerType.IDP_OWNER_TYPE_UNSPECIFIED) {
        problems.add(`${at}.ownerTypeQuery.ownerType`, "is required");
      }
      return { kind: "owner", isInstance: ownerType === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM };
    }
    default:
      problems.add(at, "must contain a condition");
      return [];
  }
}
