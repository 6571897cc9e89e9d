import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  fromJson,
  getOption,
  type JsonValue,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { DurationSchema, FieldMaskSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { invalidArgument, type Violation } from "../../errors.ts";
import { MAX_DEPTH } from "../body-limits.ts";
import { allowedNames } from "../rules/describe-broken-rule.ts";
import { maxItemsOf } from "../rules/list-limits.ts";
import { findField, isObject, shorten } from "./json-syntax.ts";
import { dropNullMembers } from "./null-members.ts";

/**
 * Reads a message from its JSON form (protobuf.dev/programming-guides/json) and rejects unknown fields. Supports the
 * types that the requests of the contract use: messages, timestamps, durations, field masks, lists, oneofs, enums, strings,
 * bytes, booleans, and integers.
 *
 * @param json Members of oneofs that are null are removed from it.
 * @throws SignetError INVALID_ARGUMENT with the JSON path of the first invalid field, what is wrong and what is
 *   allowed. It quotes shortened names, but no values other than enum value names, because values may be secret.
 */
export function readMessage<T extends DescMessage>(desc: T, json: JsonValue): MessageShape<T> {
  // Checked before `fromJson`, which takes 360 ms for an integer with a million digits, and whose errors lack the path.
  const problem = findMessageProblem(desc, json, "", 1);
  if (problem) throw invalidArgument(problem);
  dropNullMembers(desc, json);
  try {
    return fromJson(desc, json, { recursionLimit: MAX_DEPTH });
  } catch {
    throw invalidArgument({ field: "", description: `is not a valid ${desc.typeName} message` });
  }
}

/** @param depth The nesting depth of the value, counted as `fromJson` does. */
function findMessageProblem(desc: DescMessage, json: JsonValue, path: string, depth: number): Violation | undefined {
  if (!isObject(json)) return { field: path, description: `must be an object, is ${kindOf(json)}` };
  if (depth > MAX_DEPTH) return { field: path, description: `is nested more than ${MAX_DEPTH} levels deep` };
  /** The keys of the fields and oneofs so far. */
  const seen = new Map<DescField | DescOneof, string>();
  for (const key of Object.keys(json)) {
    const value = json[key] ?? null;
    const field = findField(desc, key);
    if (!field) {
      const names = desc.fields.map(({ jsonName }) => jsonName).join(", ");
      return {
        field: join(path, shorten(key)),
        description: `is not a known field; the fields are ${names || "none"}`,
      };
    }
    const at = join(path, field.jsonName);
    if (seen.has(field)) return { field: at, description: `is given twice, as ${seen.get(field)} and ${key}` };
    seen.set(field, key);
    if (field.oneof && value !== null) {
      const other = seen.get(field.oneof);
      if (other) return { field: at, description: `must not be given together with ${other}` };
      seen.set(field.oneof, field.jsonName);
    }
    // null leaves the field unset.
    const problem = value === null ? undefined : findFieldProblem(field, value, at, depth);
    if (problem) return problem;
  }
  return undefined;
}

function findFieldProblem(field: DescField, value: JsonValue, path: string, depth: number): Violation | undefined {
  if (field.fieldKind !== "list") return findValueProblem(field, value, path, depth);
  if (!Array.isArray(value)) return { field: path, description: `must be an array, is ${kindOf(value)}` };
  for (const [index, item] of value.entries()) {
    const problem = findValueProblem(field, item, `${path}[${index}]`, depth);
    if (problem) return findLengthProblem(field, value, path) ?? problem;
  }
  return undefined;
}

/** Reporting a list that is too long is more useful than reporting an invalid item. */
function findLengthProblem(field: DescField, { length }: JsonValue[], path: string): Violation | undefined {
  const maxItems = maxItemsOf(field);
  if (maxItems === undefined || length <= maxItems) return undefined;
  return { field: path, description: `must have at most ${maxItems} items, has ${length}` };
}

/** Checks the value of a field or an item of a list. */
function findValueProblem(field: DescField, value: JsonValue, path: string, depth: number): Violation | undefined {
  const describeText = TEXT_FORMS[field.message?.typeName ?? ""];
  if (field.message && !describeText) return findMessageProblem(field.message, value, path, depth + 1);
  const description = describeText
    ? describeText(value)
    : field.enum
      ? describeEnumProblem(field, field.enum, value)
      : describeScalarProblem(field.scalar, value);
  return description === undefined ? undefined : { field: path, description };
}

/** Messages that are texts in ProtoJSON, with what describes an invalid text. */
const TEXT_FORMS: Readonly<Record<string, (value: JsonValue) => string | undefined>> = {
  [TimestampSchema.typeName]: describeTimestampProblem,
  [DurationSchema.typeName]: describeDurationProblem,
  [FieldMaskSchema.typeName]: describeFieldMaskProblem,
};

/** Seconds with at most nine digits after the point, at most 10,000 years. */
function describeDurationProblem(value: JsonValue): string | undefined {
  const description = 'must be a duration in seconds, such as "3600s"';
  if (typeof value !== "string") return `${description}, is ${kindOf(value)}`;
  return /^-?\d{1,11}(?:\.\d{1,9})?s$/.test(value) ? undefined : description;
}

/** Names in camelCase, separated by commas; or `*`. */
function describeFieldMaskProblem(value: JsonValue): string | undefined {
  const description = 'must be names of fields in camelCase, separated by commas, such as "name,redirectUris"';
  if (typeof value !== "string") return `${description}, is ${kindOf(value)}`;
  if (value.length > LONGEST_FIELD_MASK) return `must be at most ${LONGEST_FIELD_MASK} characters`;
  return /^(?:[A-Za-z0-9.*]+(?:,[A-Za-z0-9.*]+)*)?$/.test(value) ? undefined : description;
}

/** `MAX_MASK_PATHS` names of 50 characters. */
const LONGEST_FIELD_MASK = 2_550;

/** A date of RFC 3339, with at most nine digits after the second, from year 1 to year 9999. */
function describeTimestampProblem(value: JsonValue): string | undefined {
  const description = "must be a date of RFC 3339, such as 2030-01-31T12:00:00Z";
  if (typeof value !== "string") return `${description}, is ${kindOf(value)}`;
  if (value.length > LONGEST_TIMESTAMP || !isDay(value.slice(0, 10))) return description;
  try {
    fromJson(TimestampSchema, value);
    return undefined;
  } catch {
    return description;
  }
}

/** Whether there is such a day. `fromJson` turns February 30 into March 2. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** With nine digits after the second, and an offset. */
const LONGEST_TIMESTAMP = 35;

function describeEnumProblem(field: DescField, { values }: DescEnum, value: JsonValue): string | undefined {
  const isNumber = typeof value === "number";
  if (isNumber ? isInteger(INTEGERS[ScalarType.INT32], value) : values.some(({ name }) => name === value)) {
    return undefined;
  }
  const names = `must be one of ${allowedNames(field, getOption(field, fieldRules)).join(", ")}`;
  if (isNumber) return `${names}, or a whole number of 32 bits`;
  return `${names}, is ${typeof value === "string" ? JSON.stringify(shorten(value)) : kindOf(value)}`;
}

/** Leaves scalars that requests do not use, such as floating-point numbers, to `fromJson`. */
function describeScalarProblem(scalar: ScalarType | undefined, value: JsonValue): string | undefined {
  switch (scalar) {
    case ScalarType.STRING:
      if (typeof value !== "string") return `must be a string, is ${kindOf(value)}`;
      return value.isWellFormed() ? undefined : "must be a string without lone surrogates";
    case ScalarType.BOOL:
      return typeof value === "boolean" ? undefined : `must be true or false, is ${kindOf(value)}`;
    case ScalarType.BYTES:
      if (typeof value !== "string") return `must be a string in Base64, is ${kindOf(value)}`;
      return isBase64(value) ? undefined : "must be in Base64";
    case ScalarType.INT32:
    case ScalarType.UINT32:
    case ScalarType.INT64:
    case ScalarType.UINT64: {
      const range = INTEGERS[scalar];
      if (isInteger(range, value)) return undefined;
      const description = `must be a whole number from ${range.min} to ${range.max}`;
      return typeof value === "number" || typeof value === "string"
        ? description
        : `${description}, is ${kindOf(value)}`;
    }
    default:
      return undefined;
  }
}

/** In Base64 or base64url, with or without padding. One digit is less than a byte. */
function isBase64(text: string): boolean {
  const [, digits] = /^([A-Za-z0-9+/_-]*)={0,2}$/.exec(text) ?? [];
  return digits !== undefined && digits.length % 4 !== 1;
}

interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

const INTEGERS = {
  [ScalarType.INT32]: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  [ScalarType.UINT32]: { min: 0n, max: 2n ** 32n - 1n },
  [ScalarType.INT64]: { min: -(2n ** 63n), max: 2n ** 63n - 1n },
  [ScalarType.UINT64]: { min: 0n, max: 2n ** 64n - 1n },
};

/** Whether a value is an integer within a range. A string may have 20 digits, as many as the largest integer. */
function isInteger({ min, max }: Range, value: JsonValue): boolean {
  if (typeof value === "number") return Number.isInteger(value) && value >= min && value <= max;
  if (typeof value !== "string" || !/^-?[0-9]{1,20}$/.test(value)) return false;
  const integer = BigInt(value);
  return integer >= min && integer <= max;
}

function kindOf(json: JsonValue): string {
  if (json === null) return "null";
  if (Array.isArray(json)) return "an array";
  return typeof json === "object" ? "an object" : `a ${typeof json}`;
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
