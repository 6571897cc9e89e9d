import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Violation } from "../../errors.ts";
import { readField } from "./read-field.ts";

/**
 * Finds the lists of a message that have more items than `repeated.max_items` of the schema allows. It never visits the
 * items of such a list, because a body of the maximum size can contain half a million.
 *
 * @param prefix JSON path of the message, ending in a dot; empty for the request itself.
 */
export function findLongLists(schema: DescMessage, message: object, prefix = ""): Violation[] {
  const violations: Violation[] = [];
  for (const field of schema.fields) {
    if (!field.message && field.fieldKind !== "list") continue;
    const path = `${prefix}${field.jsonName}`;
    const value = readField(message, field);
    if (field.fieldKind === "list" && Array.isArray(value)) {
      const max = requireMaxItems(field);
      if (value.length > max) {
        violations.push({ field: path, description: `must have at most ${max} items, has ${value.length}` });
      } else if (field.message) {
        for (const [index, item] of value.entries()) {
          violations.push(...findLongLists(field.message, item, `${path}[${index}].`));
        }
      }
    } else if (field.fieldKind === "message" && value !== undefined) {
      violations.push(...findLongLists(field.message, value as object, `${path}.`));
    }
  }
  return violations;
}

/** Checks that a schema limits every list of a request. Throws an Error for a list without `repeated.max_items`. */
export function requireListLimits(schema: DescMessage, seen = new Set<DescMessage>()): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const field of schema.fields) {
    if (field.fieldKind === "map") throw new Error(`${field} is a map, which no rule bounds: use a repeated message`);
    if (field.fieldKind === "list") requireMaxItems(field);
    if (field.message) requireListLimits(field.message, seen);
  }
}

function requireMaxItems(field: DescField): number {
  const max = maxItemsOf(field);
  if (max === undefined) throw new Error(`${field} has no rule (buf.validate.field).repeated.max_items`);
  return max;
}

/** The maximum number of names in a field mask, whose schema is not part of the contract. */
const MAX_MASK_PATHS = 50;

/** 0 for a field without the rule. */
const limits = new WeakMap<DescField, number>();

/** The `repeated.max_items` rule of a list, if it has one; `MAX_MASK_PATHS` for a field mask. */
export function maxItemsOf(field: DescField): number | undefined {
  let max = limits.get(field);
  if (max === undefined) {
    const { type } = getOption(field, fieldRules);
    if (field.parent.typeName === FieldMaskSchema.typeName) max = MAX_MASK_PATHS;
    else max = type.case === "repeated" ? Number(type.value.maxItems) : 0;
    limits.set(field, max);
  }
  return max === 0 ? undefined : max;
}
