import { type DescField, getOption } from "@bufbuild/protobuf";
import type { Path } from "@bufbuild/protobuf/reflect";
import type { Violation as BrokenRule } from "@bufbuild/protovalidate";
import { type FieldRules, field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { readField } from "./read-field.ts";

/**
 * Describes a violated schema rule, as the end of a sentence about the field. A rule without an entry here has
 * protovalidate's message.
 *
 * @param message The checked message. Only the lengths and enum numbers of its values are shown, because other values
 *   may be secret.
 */
export function describeBrokenRule(message: object, { ruleId, field: path, message: fallback }: BrokenRule): string {
  const { field, rules } = findRules(path);
  const value = readPath(message, path);
  switch (ruleId) {
    case "required":
      return "is required";
    case "string.min_len":
      return value === ""
        ? "must not be empty"
        : `must be at least ${characters(rules, "minLen")}, is ${lengthOf(value)}`;
    case "string.max_len":
      return `must be at most ${characters(rules, "maxLen")}, is ${lengthOf(value)}`;
    case "bytes.min_len":
      return "must not be empty";
    case "bytes.max_len":
      return `must be at most ${mostBytes(rules)} bytes, is ${value instanceof Uint8Array ? value.length : 0}`;
    case "uint32.lte":
      return `must be at most ${highest(rules)}, is ${value}`;
    case "repeated.min_items":
      return "must have at least 1 item";
    case "enum.defined_only":
    case "enum.not_in":
      return `must be one of ${allowedNames(field, rules).join(", ")}, is ${value}`;
    default:
      return fallback;
  }
}

/** The field at a path, and its rules, or the rules of its items if the path refers to an item. */
function findRules(path: Path): { field: DescField | undefined; rules: FieldRules | undefined } {
  const field = path.findLast((part) => part.kind === "field");
  if (field === undefined) return { field, rules: undefined };
  const rules = getOption(field, fieldRules);
  if (path.at(-1)?.kind !== "list_sub") return { field, rules };
  return { field, rules: rules.type.case === "repeated" ? rules.type.value.items : undefined };
}

function readPath(message: object, path: Path): unknown {
  let value: unknown = message;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    if (part.kind === "field") value = readField(value, part);
    else if (part.kind === "list_sub") value = (value as unknown[])[part.index];
  }
  return value;
}

function mostBytes(rules: FieldRules | undefined): bigint {
  return rules?.type.case === "bytes" ? rules.type.value.maxLen : 0n;
}

function characters(rules: FieldRules | undefined, rule: "minLen" | "maxLen"): string {
  const limit = rules?.type.case === "string" ? rules.type.value[rule] : 0n;
  return limit === 1n ? "1 character" : `${limit} characters`;
}

function highest(rules: FieldRules | undefined): number | undefined {
  const limit = rules?.type.case === "uint32" ? rules.type.value.lessThan : undefined;
  return limit?.case === "lte" ? limit.value : undefined;
}

/** The names of the values that an enum field may have. */
export function allowedNames(field: DescField | undefined, rules: FieldRules | undefined): string[] {
  const refused = rules?.type.case === "enum" ? rules.type.value.notIn : [];
  return (field?.enum?.values ?? []).filter(({ number }) => !refused.includes(number)).map(({ name }) => name);
}

/** Unicode code points, as counted by the rules. */
function lengthOf(value: unknown): number {
  return typeof value === "string" ? [...value].length : 0;
}
