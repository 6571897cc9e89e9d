import type { OwnedRows } from "./delete-rows.ts";

/**
 * The tables whose rows are only deleted when their organization is removed, in this order; those of users come before
 * the users, so that no statement deletes all that a user has. Messages, applications, users and events have steps of their
 * own. A test compares the columns with the catalog of the database.
 */
export const OWNED_ROWS_OF_USERS: readonly OwnedRows[] = [
  { table: "codes", owner: "org_id", key: ["id"], order: "id" },
  { table: "tokens", owner: "org_id", key: ["id"], order: "user_id" },
  { table: "passkeys", owner: "org_id", key: ["id"], order: "id", type: "text" },
  { table: "recovery_codes", owner: "org_id", key: ["user_id", "hash"], order: "user_id" },
  { table: "user_metadata", owner: "org_id", key: ["user_id", "key"], order: "user_id" },
  { table: "user_app_roles", owner: "org_id", key: ["user_id", "app_id", "role"], order: "user_id" },
  { table: "user_subjects", owner: "org_id", key: ["user_id"], order: "user_id" },
  { table: "verified_phones", owner: "org_id", key: ["user_id"], order: "user_id" },
  { table: "unverified_phones", owner: "org_id", key: ["user_id"], order: "user_id" },
  { table: "user_idp_links", owner: "org_id", key: ["idp_id", "external_user_id"], order: "user_id" },
  { table: "members", owner: "user_org_id", key: ["user_id", "scope_id", "role"], order: "user_id" },
];

export const OTHER_OWNED_ROWS: readonly OwnedRows[] = [
  {
    table: "failed_sign_ins",
    owner: "org_id",
    key: ["user_id", "hour", "kind", "network", "browser"],
    order: "user_id",
  },
  { table: "webhook_deliveries", owner: "owner_id", key: ["id"], order: "id" },
  { table: "webhook_keys", owner: "owner_id", key: ["id"], order: "id" },
  { table: "webhooks", owner: "owner_id", key: ["id"], order: "id" },
  { table: "password_hooks", owner: "owner_id", key: [], order: "owner_id" },
  { table: "scim_requests", owner: "owner_id", key: ["connection_id", "slot"], order: "connection_id" },
  { table: "scim_connections", owner: "owner_id", key: ["id"], order: "id" },
  { table: "apis", owner: "owner_id", key: ["id"], order: "id" },
  // Those of users of other organizations.
  {
    table: "members",
    owner: "scope_id",
    key: ["user_org_id", "user_id", "role"],
    order: "created_at",
    type: "timestamptz",
  },
  { table: "user_idp_links", owner: "idp_owner_id", key: ["org_id", "idp_id", "external_user_id"], order: "idp_id" },
  { table: "idp_attempts", owner: "idp_owner_id", key: ["sign_in_hash"], order: "idp_id" },
  { table: "registrations", owner: "org_id", key: ["code_hash"], order: "expires_at", type: "timestamptz" },
  { table: "idps", owner: "owner_id", key: ["id"], order: "id" },
  { table: "login_policies", owner: "owner_id", key: [], order: "owner_id" },
  { table: "brandings", owner: "owner_id", key: [], order: "owner_id" },
  { table: "branding_images", owner: "owner_id", key: ["hash"], order: "hash", type: "text" },
  { table: "org_domains", owner: "org_id", key: ["name"], order: "name", type: "text" },
];
