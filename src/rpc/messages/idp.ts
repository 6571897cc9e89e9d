import { create } from "@bufbuild/protobuf";
import { type IDP, IDPFieldName, IDPOwnerType, IDPSchema, IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import type { IDPQuery, ListIDPsRequest } from "../../../gen/signet/v1/idp_instance_pb.js";
import type { ListOrgIDPsRequest, OrgIDPQuery } from "../../../gen/signet/v1/idp_org_pb.js";
import type { ListProvidersRequest, ProviderQuery } from "../../../gen/signet/v1/provider_calls_pb.js";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type IdpCondition, type IdpRow, type IdpSearch, orderOfIdps } from "../../idps/list-idps.ts";
import { toDetails } from "./details.ts";
import { conditionsOf, searchOf, toTextMatch } from "./list.ts";

/** The fields for `listIdps`. */
export const toIdpSearch = searchOf(
  (request: ListRequest) => orderOfIdps(sortKeyOf(request)),
  (request, problems) => ({ sortKey: sortKeyOf(request), conditions: toConditions(request.queries, problems) }),
);

type ListRequest = ListIDPsRequest | ListOrgIDPsRequest | ListProvidersRequest;

function sortKeyOf(request: ListRequest): IdpSearch["sortKey"] {
  const isByName = "sortingColumn" in request && request.sortingColumn === IDPFieldName.IDP_FIELD_NAME_NAME;
  return isByName ? "name" : "creation";
}

const toConditions = conditionsOf<IDPQuery | OrgIDPQuery | ProviderQuery, IdpCondition>({
  idpIdQuery: ({ id }) => ({ kind: "id", id }),
  idpNameQuery: ({ name, method }) => ({ kind: "name", name, match: toTextMatch(method) }),
  ownerTypeQuery({ ownerType }, problems, at) {
    if (ownerType === IDPOwnerType.IDP_OWNER_TYPE_UNSPECIFIED) {
      problems.add(`${at}.ownerTypeQuery.ownerType`, "is required");
    }
    return { kind: "owner", isInstance: ownerType === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM };
  },
});

/** The fields that an `IDP` and a `Provider` have. */
export function toIdpFields(row: IdpRow, { instanceId }: Call) {
  return {
    id: row.id,
    details: toDetails(row, row.owner_id),
    state: row.state === "active" ? IDPState.IDP_STATE_ACTIVE : IDPState.IDP_STATE_INACTIVE,
    name: row.name,
    owner: row.owner_id === instanceId ? IDPOwnerType.IDP_OWNER_TYPE_SYSTEM : IDPOwnerType.IDP_OWNER_TYPE_ORG,
  };
}

/** Converts a row to a provider in a response. */
export function toIdp(row: IdpRow, call: Call): IDP {
  return create(IDPSchema, {
    ...toIdpFields(row, call),
    stylingType: row.styling_type,
    ...(row.kind === "oidc" && { config: { case: "oidcConfig", value: toOidcConfig(row) } }),
    autoRegister: row.auto_register,
    federatedLogoutEnabled: row.federated_logout_enabled,
  });
}

/** The response to the deprecated calls that add a provider. */
export function toAddedIdp({ id, ...changed }: Changed & { readonly id: string }) {
  return { idpId: id, ...changed };
}

function toOidcConfig(row: IdpRow) {
  return {
    clientId: row.client_id,
    issuer: row.issuer,
    scopes: row.scopes,
    displayNameMapping: row.display_name_mapping,
    usernameMapping: row.username_mapping,
  };
}
