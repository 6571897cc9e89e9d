import { createHash } from "node:crypto";
import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import type { ListQuery } from "../../../gen/signet/v1/list_pb.js";
import type { SortKey } from "../../database/list-page.ts";
import type { Problems } from "../../errors.ts";
import { type CheckedListQuery, checkListQuery } from "../../fields/list-query.ts";

/** A request for a list. Its other fields are the sorting and the filters. */
export type ListRequest = Message & { readonly query?: ListQuery | undefined };

/**
 * Checks the `query` of a request for a list. The page token is bound to all other fields of the request.
 *
 * @param order The requested order.
 */
export function toListQuery(
  schema: DescMessage,
  request: ListRequest,
  order: readonly SortKey[],
  problems: Problems,
): CheckedListQuery {
  return checkListQuery(request.query ?? {}, () => createFingerprint(schema, request), order, problems);
}

function createFingerprint(schema: DescMessage, request: ListRequest): string {
  const bytes = toBinary(schema, { ...request, query: undefined } as Message, { writeUnknownFields: false });
  return createHash("sha256")
    .update(`${schema.typeName} ${request.query?.asc ?? false}\n`)
    .update(bytes)
    .digest("base64url")
    .slice(0, 16);
}
