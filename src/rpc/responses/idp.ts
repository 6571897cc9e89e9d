import { create } from "@bufbuild/protobuf";
import { type IDP, IDPOwnerType, IDPSchema, IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import { OIDCMappingField, StylingType } from "../../../gen/signet/v1/idp_pb.js";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import type { IdpRow } from "../../idps/idp-row.ts";
import { toDetails } from "./details.ts";

/** Converts a row to a provider in a response. */
export function toIdp(row: IdpRow, { instanceId }: Call): IDP {
  return create(IDPSchema, {
    id: row.id,
    details: toDetails(row, row.owner_id),
    state: row.state === "active" ? IDPState.IDP_STATE_ACTIVE : IDPState.IDP_STATE_INACTIVE,
    name: row.name,
    stylingType: row.styling_type,
    owner: row.owner_id === instanceId ? IDPOwnerType.IDP_OWNER_TYPE_SYSTEM : IDPOwnerType.IDP_OWNER_TYPE_ORG,
    ...(row.kind === "oidc" && { config: { case: "oidcConfig", value: toOidcConfig(row) } }),
    autoRegister: row.auto_register,
    federatedLogoutEnabled: row.federated_logout_enabled,
  });
}

/** The response to the deprecated calls that add a provider. */
export function toAddedIdp({ id, ...changed }: Changed & { readonly id: string }) {
  return { idpId: id, ...changed };
}

/** The names of the enum values in a row. */
export function toIdpNames(row: Pick<IdpRow, "styling_type" | "username_mapping" | "display_name_mapping">) {
  return {
    stylingType: StylingType[row.styling_type],
    usernameMapping: OIDCMappingField[row.username_mapping],
    displayNameMapping: OIDCMappingField[row.display_name_mapping],
  };
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
