import type {
  BulkRemoveUserMetadataRequest,
  BulkSetUserMetadataRequest,
  ListUserMetadataRequest,
  MetadataQuery,
  RemoveUserMetadataRequest,
  SetUserMetadataRequest,
} from "../../../gen/signet/v1/metadata_pb.js";
import type { Call } from "../../call.ts";
import type { Problems } from "../../errors.ts";
import { checkKeys } from "../../users/metadata/check-metadata.ts";
import { METADATA_ORDER, type MetadataRow, type MetadataSearch } from "../../users/metadata/list-user-metadata.ts";
import { toDetails } from "./details.ts";
import { conditionsOf, searchOf, toTextMatch } from "./list.ts";

/** The fields for `setUserMetadata`, for a single value. */
export function toMetadataItem({ id, key, value }: SetUserMetadataRequest, problems: Problems) {
  checkKeys([key], () => "key", problems);
  return { id, items: [{ key, value }] };
}

/** The fields for `setUserMetadata`. */
export function toMetadataItems({ id, metadata }: BulkSetUserMetadataRequest, problems: Problems) {
  const keys = metadata.map(({ key }) => key);
  checkKeys(keys, (position) => `metadata[${position}].key`, problems);
  return { id, items: metadata.map(({ key, value }) => ({ key, value })) };
}

/** The fields for `removeUserMetadata`, for a single value. */
export function toMetadataKey({ id, key }: RemoveUserMetadataRequest) {
  return { id, keys: [key] };
}

/** The fields for `removeUserMetadata`. */
export function toMetadataKeys({ id, keys }: BulkRemoveUserMetadataRequest, problems: Problems) {
  checkKeys(keys, (position) => `keys[${position}]`, problems);
  return { id, keys };
}

/** The fields for `listUserMetadata`. */
export const toMetadataSearch = searchOf(METADATA_ORDER, ({ id, queries }: ListUserMetadataRequest, problems) => ({
  id,
  keys: toSearchedKeys(queries, problems),
}));

const toSearchedKeys = conditionsOf<MetadataQuery, MetadataSearch["keys"][number]>({
  keyQuery: ({ key, method }) => ({ key, match: toTextMatch(method) }),
});

/** Converts a value that is stored with a user. */
export function toMetadata(row: MetadataRow, { orgId }: Call) {
  return { details: toDetails(row, orgId), key: row.key, value: row.value };
}
