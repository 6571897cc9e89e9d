import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Path } from "@bufbuild/protobuf/reflect";
import type { Validator } from "@bufbuild/protovalidate";
import type { Violation } from "../../errors.ts";
import { describeBrokenRule } from "./describe-broken-rule.ts";
import { readField } from "./read-field.ts";

/**
 * Finds the violations of schema rules (protovalidate). A violation may be returned twice.
 *
 * protovalidate 1.3.0 ignores the rules of a message that is nested in a message of the same type: it drops the inner
 * plan, which is still empty when the outer one is pruned. Therefore each message of a type that can contain itself is
 * also validated separately.
 */
export function findBrokenRules<T extends DescMessage>(
  validator: Validator,
  schema: T,
  message: MessageShape<T>,
): Violation[] {
  return [...validate(validator, schema, message, ""), ...validateNested(validator, schema, message, "")];
}

/** @param prefix JSON path of the message, ending in a dot; empty for the request itself. */
function validate<T extends DescMessage>(
  validator: Validator,
  schema: T,
  message: MessageShape<T>,
  prefix: string,
): Violation[] {
  const result = validator.validate(schema, message);
  switch (result.kind) {
    case "valid":
      return [];
    case "invalid":
      return result.violations.map((broken) => ({
        field: prefix + pathToJson(broken.field),
        description: describeBrokenRule(message, broken),
      }));
    case "error":
      throw result.error;
    default:
      return result satisfies never;
  }
}

/** Validates each message within a message, at any depth, whose type can contain itself. */
function validateNested(validator: Validator, schema: DescMessage, message: object, prefix: string): Violation[] {
  if (recursionOf(schema) === "none") return [];
  const violations: Violation[] = [];
  for (const field of schema.fields) {
    if (field.message === undefined) continue;
    const path = `${prefix}${field.jsonName}`;
    const value = readField(message, field);
    if (field.fieldKind === "list") {
      for (const [index, item] of (value as object[]).entries()) visit(field.message, item, `${path}[${index}].`);
    } else if (value !== undefined) {
      visit(field.message, value as object, `${path}.`);
    }
  }
  return violations;

  function visit(type: DescMessage, inner: object, path: string) {
    if (recursionOf(type) === "self")
      violations.push(...validate(validator, type, inner as MessageShape<typeof type>, path));
    violations.push(...validateNested(validator, type, inner, path));
  }
}

/** Whether a type can contain itself, or only contain such a type. */
type Recursion = "self" | "inner" | "none";

const recursions = new WeakMap<DescMessage, Recursion>();

function recursionOf(schema: DescMessage): Recursion {
  let recursion = recursions.get(schema);
  if (recursion === undefined) {
    const types = typesWithin(schema);
    if (types.has(schema)) recursion = "self";
    else recursion = [...types].some((type) => typesWithin(type).has(type)) ? "inner" : "none";
    recursions.set(schema, recursion);
  }
  return recursion;
}

/** The types of all messages that a message can contain, at any depth. */
function typesWithin(schema: DescMessage, found = new Set<DescMessage>()): ReadonlySet<DescMessage> {
  for (const { message } of schema.fields) {
    if (message === undefined || found.has(message)) continue;
    found.add(message);
    typesWithin(message, found);
  }
  return found;
}

function pathToJson(path: Path): string {
  let text = "";
  for (const part of path) {
    if (part.kind === "list_sub") text += `[${part.index}]`;
    else if (part.kind === "field") text += `${text ? "." : ""}${part.jsonName}`;
  }
  return text;
}
