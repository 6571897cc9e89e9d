import { sql } from "kysely";
import { columnsOf, type RowOf, VERSION } from "../database/columns-of.ts";
import { ownedList, ownedObject } from "../fields/owned-objects.ts";
import { apiNotFound } from "./change-api.ts";

const COLUMNS = {
  ...columnsOf("apis", { ownerId: "owner_id", id: "id", name: "name", identifier: "identifier", scopes: "scopes" }),
  introspectorAppIds: sql<string[]>`apis.introspector_app_ids::text[]`,
  ...columnsOf("apis", { allowsUnregisteredClients: "allows_unregistered_clients", ...VERSION }),
};

/** An API in responses. */
export type ApiRow = RowOf<typeof COLUMNS>;

/** Lists the APIs of an organization (docs/reference/apis.md). */
export const APIS = ownedList("apis", COLUMNS);

/** Returns an API of the organization (docs/reference/apis.md). */
export const getApiById = ownedObject("apis", COLUMNS, apiNotFound);
