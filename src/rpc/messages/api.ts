import { APIS, type ApiRow } from "../../apis/list-apis.ts";
import { toDetails } from "./details.ts";
import { searchOf } from "./list.ts";

/** The fields for `APIS.list`. */
export const toApiSearch = searchOf(APIS.order);

/** Converts an API. */
export function toApi(row: ApiRow) {
  const { id, ownerId, name, identifier, scopes, introspectorAppIds, allowsUnregisteredClients } = row;
  const lists = { scopes, introspectorAppIds };
  return { id, details: toDetails(row, ownerId), name, identifier, ...lists, allowsUnregisteredClients };
}
