import { setImmediate } from "node:timers/promises";
import { create, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import type { Validator } from "@bufbuild/protovalidate";
import { invalidArgument, type Problems, type Violation } from "../../errors.ts";
import { findBrokenRules } from "./broken-rules.ts";
import { findLongLists } from "./list-limits.ts";
import { readField } from "./read-field.ts";

let loaded: Validator | undefined;

/**
 * Checks a message against the rules of its schema (protovalidate), the rules for all text, and the rules that only
 * code can check, and reports all violations together. A field that violates several rules is reported once, with the
 * first rule.
 *
 * A list with too many items is reported alone, before anything visits the items.
 *
 * @param findOwn Finds the violations that only code can detect, and returns the checked fields. It is called only if
 *   all lists are within their limits.
 * @returns The checked fields.
 * @throws SignetError INVALID_ARGUMENT with every violated field, named by its JSON path.
 */
export async function checkMessage<T extends DescMessage, Fields>(
  schema: T,
  message: MessageShape<T>,
  findOwn: (problems: Problems) => Fields,
): Promise<Fields> {
  const longLists = findLongLists(schema, message);
  if (longLists.length > 0) throw invalidArgument(...longLists);
  const violations = [
    ...findBrokenRules(loaded ?? (await loadValidator()), schema, message),
    ...textViolations(schema, message, ""),
  ];
  const fields = findOwn({ add: (field, description) => violations.push({ field, description }) });
  if (violations.length === 0) return fields;
  const byField = new Map<string, Violation>();
  for (const violation of violations) {
    if (!byField.has(violation.field)) byField.set(violation.field, violation);
  }
  throw invalidArgument(...byField.values());
}

/** The package has 85 modules, so startup does not wait for it: 70 of 650 ms of CPU time. */
async function loadValidator(): Promise<Validator> {
  const { createValidator } = await import("@bufbuild/protovalidate");
  loaded ??= createValidator();
  return loaded;
}

/**
 * Compiles schema rules, so that no call has to wait for it. The first one takes 50 to 160 ms, and calls run in
 * between. If it ran before the service listens, it would take a tenth of the startup time.
 *
 * @param signal Stops it early.
 */
export async function compileRules(schemas: readonly DescMessage[], signal: AbortSignal): Promise<void> {
  const validator = await loadValidator();
  for (const schema of schemas) {
    if (signal.aborted) return;
    validator.validate(schema, create(schema));
    await setImmediate();
  }
}

/** Finds text that is not valid Unicode or that PostgreSQL cannot store: lone surrogates and NUL. */
function textViolations(schema: DescMessage, message: object, prefix: string): Violation[] {
  const violations: Violation[] = [];
  for (const field of schema.fields) {
    const value = readField(message, field);
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
