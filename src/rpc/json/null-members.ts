import type { DescMessage, JsonValue } from "@bufbuild/protobuf";
import { findField, isObject } from "./json-syntax.ts";

/**
 * Removes the members of oneofs that are null from the JSON form of a message. In ProtoJSON, null leaves a field unset,
 * but `fromJson` counts a message that is null as set.
 */
export function dropNullMembers(desc: DescMessage, json: JsonValue): void {
  if (!hasOneofs(desc) || !isObject(json)) return;
  for (const [key, value] of Object.entries(json)) {
    const field = findField(desc, key);
    if (field?.oneof && value === null) delete json[key];
    else if (field?.message) {
      for (const item of Array.isArray(value) ? value : [value]) dropNullMembers(field.message, item);
    }
  }
}

const withOneofs = new WeakMap<DescMessage, boolean>();

/** Whether a message, or one within it, has a oneof. */
export function hasOneofs(desc: DescMessage): boolean {
  let found = withOneofs.get(desc);
  if (found === undefined) {
    found = findOneof(desc, new Set());
    withOneofs.set(desc, found);
  }
  return found;
}

function findOneof(desc: DescMessage, seen: Set<DescMessage>): boolean {
  if (seen.has(desc)) return false;
  seen.add(desc);
  return desc.oneofs.length > 0 || desc.fields.some(({ message }) => message && findOneof(message, seen));
}
