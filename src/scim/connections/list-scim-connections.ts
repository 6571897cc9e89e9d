import { columnsOf, type RowOf, VERSION } from "../../database/columns-of.ts";
import { ownedList, ownedObject } from "../../fields/owned-objects.ts";
import { scimConnectionNotFound } from "./change-scim-connection.ts";

const COLUMNS = columnsOf("scim_connections", {
  ownerId: "owner_id",
  id: "id",
  name: "name",
  addressRule: "address_rule",
  linkAttribute: "link_attribute",
  idpId: "idp_id",
  groupAppId: "group_app_id",
  linkPath: "link_path",
  isTrial: "is_trial",
  lastUsedAt: "last_used_at",
  previousTokenUntil: "previous_token_until",
  ...VERSION,
});

/** A SCIM connection in responses. */
export type ScimConnectionRow = RowOf<typeof COLUMNS>;

/** Lists the SCIM connections of an organization (docs/reference/scim.md). */
export const SCIM_CONNECTIONS = ownedList("scim_connections", COLUMNS);

/** Returns a SCIM connection of the organization (docs/reference/scim.md). */
export const getScimConnection = ownedObject("scim_connections", COLUMNS, scimConnectionNotFound);
