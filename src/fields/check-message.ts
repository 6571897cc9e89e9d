import { create, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import type { Path } from "@bufbuild/protobuf/reflect";
import { createValidator } from "@bufbuild/protovalidate";
import { invalidArgument, type Violation } from "../errors.ts";

const validator = createValidator();

/** How many items a list may have, where its own rule is not stricter: enough for any real request, and checked at once. */
const MAX_ITEMS = 50;

/**
 * Refuses a message that breaks rules: those of its schema (protovalidate), those of text in general, and those that
 * only code can check, all in one answer. A field that breaks several is named once, with the first of them.
 *
 * @param findOwn Finds what only code can see. It is called once no list is too long to be gone through.
 * @throws SignetError INVALID_ARGUMENT with every violated field, named by its JSON path.
 */
export function checkMessage<T extends DescMessage>(
  schema: T,
  message: MessageShape<T>,
  findOwn: (problems: Problems) => readonly Violation[] | void,
): void {
  const tooLong = listViolations(schema, message);
  if (tooLong.length > 0) throw invalidArgument(...tooLong);
  const violations = [
    ...schemaViolations(schema, message),
    ...textViolations(schema, message, ""),
    ...collect(findOwn),
  ];
  if (violations.length === 0) return;
  const byField = new Map<string, Violation>();
  for (const violation of violations) {
    if (!byField.has(violation.field)) byField.set(violation.field, violation);
  }
  throw invalidArgument(...byField.values());
}

/** Collects the violations that only code can find. */
export interface Problems {
  add(field: string, description: string): void;
}

function collect(find: (problems: Problems) => readonly Violation[] | void): readonly Violation[] {
  const found: Violation[] = [];
  const given = find({ add: (field, description) => found.push({ field, description }) });
  return given ? [...found, ...given] : found;
}

/** Compiles the rules of a schema, so that no call has to: the first use takes 50 to 160 ms. */
export function warmUpRules(schema: DescMessage): void {
  validator.validate(schema, create(schema));
}

/** Before anything goes through the items, of which a body of the largest size could hold half a million. */
function listViolations(schema: DescMessage, message: object): Violation[] {
  return schema.fields.flatMap((field) => {
    const value: unknown = message[field.localName as keyof typeof message];
    if (field.fieldKind !== "list" || !Array.isArray(value) || value.length <= MAX_ITEMS) return [];
    return { field: field.jsonName, description: `must have at most ${MAX_ITEMS} items, has ${value.length}` };
  });
}

function schemaViolations<T extends DescMessage>(schema: T, message: MessageShape<T>): Violation[] {
  const result = validator.validate(schema, message);
  switch (result.kind) {
    case "valid":
      return [];
    case "invalid":
      return result.violations.map(({ field, message: description }) => ({ field: pathToJson(field), description }));
    case "error":
      throw result.error;
    default:
      return result satisfies never;
  }
}

/** Text that PostgreSQL cannot store or that is no Unicode: NUL and lone surrogates. */
function textViolations(schema: DescMessage, message: object, prefix: string): Violation[] {
  const violations: Violation[] = [];
  for (const field of schema.fields) {
    const value: unknown = message[field.localName as keyof typeof message];
    const path = `${prefix}${field.jsonName}`;
    if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) {
      checkText(path, value);
    } else if (field.fieldKind === "message" && value !== undefined) {
      violations.push(...textViolations(field.message, value as object, `${path}.`));
    } else if (field.fieldKind === "list") {
      for (const [index, item] of (value as unknown[]).entries()) {
        if (field.message) violations.push(...textViolations(field.message, item as object, `${path}[${index}].`));
        else checkText(`${path}[${index}]`, item);
      }
    }
  }
  return violations;

  function checkText(field: string, text: unknown) {
    if (typeof text !== "string") return;
    if (text.includes("\0")) violations.push({ field, description: "must not contain the character NUL" });
    else if (!text.isWellFormed())
      violations.push({ field, description: "must be valid Unicode, without lone surrogates" });
  }
}

function pathToJson(path: Path): string {
  let text = "";
  for (const part of path) {
    if (part.kind === "list_sub") text += `[${part.index}]`;
    else if (part.kind === "field") text += `${text ? "." : ""}${part.jsonName}`;
  }
  return text;
}
