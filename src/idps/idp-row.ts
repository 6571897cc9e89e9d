import { create } from "@bufbuild/protobuf";
import { type IDP, IDPOwnerType, IDPSchema, IDPState } from "../../gen/signet/v1/idp_config_pb.js";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";

/** The columns of a provider in responses, without its secret. */
export interface IdpRow extends ObjectRow {
  owner_id: string;
  id: string;
  state: "active" | "inactive";
  name: string;
  styling_type: number;
  client_id: string;
  issuer: string;
  scopes: string[];
  display_name_mapping: number;
  username_mapping: number;
  auto_register: boolean;
}

/** The columns of a provider that are read. */
export const IDP_COLUMNS = [
  "owner_id",
  "id",
  "sequence",
  "created_at",
  "changed_at",
  "state",
  "name",
  "styling_type",
  "client_id",
  "issuer",
  "scopes",
  "display_name_mapping",
  "username_mapping",
  "auto_register",
] as const satisfies (keyof IdpRow)[];

/** Converts a row to a provider in a response. */
export function toIdp(row: IdpRow, instanceId: string): IDP {
  return create(IDPSchema, {
    id: row.id,
    details: toObjectDetails(row, row.owner_id),
    state: row.state === "active" ? IDPState.IDP_STATE_ACTIVE : IDPState.IDP_STATE_INACTIVE,
    name: row.name,
    stylingType: row.styling_type,
    owner: row.owner_id === instanceId ? IDPOwnerType.IDP_OWNER_TYPE_SYSTEM : IDPOwnerType.IDP_OWNER_TYPE_ORG,
    config: {
      case: "oidcConfig",
      value: {
        clientId: row.client_id,
        issuer: row.issuer,
        scopes: row.scopes,
        displayNameMapping: row.display_name_mapping,
        usernameMapping: row.username_mapping,
      },
    },
    autoRegister: row.auto_register,
  });
}
