import type { DescMessage } from "@bufbuild/protobuf";
import type {
  BulkRemoveUserMetadataRequest,
  BulkSetUserMetadataRequest,
  ListUserMetadataRequest,
  RemoveUserMetadataRequest,
  SetUserMetadataRequest,
} from "../../../gen/signet/v1/metadata_pb.js";
import type { Problems } from "../../errors.ts";
import { checkKeys } from "../../users/metadata/check-metadata.ts";
import { METADATA_ORDER, type MetadataSearch } from "../../users/metadata/list-user-metadata.ts";
import { toListQuery } from "./list-query.ts";
import { toTextMatch } from "./text-match.ts";

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
export function toMetadataSearch(
  request: ListUserMetadataRequest,
  problems: Problems,
  schema: DescMessage,
): MetadataSearch {
  return {
    id: request.id,
    page: toListQuery(schema, request, METADATA_ORDER, problems),
    keys: request.queries.flatMap(({ query }, position) => {
      if (query.case === "keyQuery") return { key: query.value.key, match: toTextMatch(query.value.method) };
      problems.add(`queries[${position}]`, "must contain a condition");
      return [];
    }),
  };
}
