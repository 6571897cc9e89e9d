import type { ApiRow } from "../../apis/api-row.ts";
import { toDetails } from "./details.ts";

/** Converts an API. */
export function toApi(row: ApiRow) {
  const { id, name, identifier, scopes, introspectorAppIds } = row;
  return { id, details: toDetails(row, row.ownerId), name, identifier, scopes, introspectorAppIds };
}
