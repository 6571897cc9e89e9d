import type { ObjectRow } from "../events/object-details.ts";
import type { IdpKind, IdpSettings } from "./kinds.ts";

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
  federated_logout_enabled: boolean;
  kind: IdpKind;
  config: IdpSettings;
  is_linking_allowed: boolean;
  is_creation_allowed: boolean;
  is_auto_update: boolean;
  auto_linking: number;
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
  "federated_logout_enabled",
  "kind",
  "config",
  "is_linking_allowed",
  "is_creation_allowed",
  "is_auto_update",
  "auto_linking",
] as const satisfies (keyof IdpRow)[];
