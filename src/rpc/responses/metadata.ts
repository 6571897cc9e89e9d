import type { Call } from "../../call.ts";
import type { MetadataRow } from "../../users/metadata/list-user-metadata.ts";
import { toDetails } from "./details.ts";

/** Converts a value that is stored with a user. */
export function toMetadata(row: MetadataRow, { orgId }: Call) {
  return { details: toDetails(row, orgId), key: row.key, value: row.value };
}
