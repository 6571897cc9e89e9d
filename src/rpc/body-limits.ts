import type { DescField } from "@bufbuild/protobuf";
import { SignetError } from "../errors.ts";
import { maxItemsOf } from "./rules/list-limits.ts";

/**
 * The maximum number of values in a request body: JSON objects, arrays and scalars, or protobuf fields and packed
 * items, including nested ones. The largest request for one object, an import with 50 links and 50 values of metadata,
 * has 374, and the users of BulkImportHumanUsers share the limit. A search with 20 conditions of 50 ids each would have
 * about 1,100. Reading takes up to 2 µs per value.
 */
export const MAX_VALUES = 5_000;

/**
 * The maximum nesting depth of messages, JSON objects and arrays, and protobuf groups. No request needs more than 20
 * levels.
 */
export const MAX_DEPTH = 100;

/**
 * The error for a body with more than `MAX_VALUES` values. Names a list that has too many items, if any.
 *
 * @param lists The lists read so far, with their numbers of items.
 */
export function tooManyValues(lists: Iterable<[field: DescField, items: number]> = []): SignetError {
  for (const [field, items] of lists) {
    const maxItems = maxItemsOf(field) ?? Number.POSITIVE_INFINITY;
    if (items > maxItems) {
      return beyondLimit(`must have at most ${maxItems} items`, maxItems, field.jsonName);
    }
  }
  return beyondLimit(`the body has more than ${MAX_VALUES} values`, MAX_VALUES);
}

/** The error for a body that is nested more than `MAX_DEPTH` levels deep. */
export function nestedTooDeep(): SignetError {
  return beyondLimit(`the body is nested more than ${MAX_DEPTH} levels deep`, MAX_DEPTH);
}

function beyondLimit(description: string, limit: number, field = ""): SignetError {
  const message = field ? `${field}: ${description}` : description;
  return new SignetError("INVALID_ARGUMENT", message, {
    violations: [{ field, description }],
    metadata: { ...(field && { field }), limit: String(limit) },
  });
}
