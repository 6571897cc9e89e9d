import { invalidValue } from "./scim-error.ts";

/** An attribute of a schema (RFC 7643, section 7). */
export interface Attribute {
  readonly name: string;
  readonly type: "string" | "boolean" | "complex";
  readonly description: string;
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly isUnique?: boolean;
  readonly isReadOnly?: boolean;
  /** Whether it is set at the creation alone. */
  readonly isImmutable?: boolean;
  readonly subAttributes?: readonly Attribute[];
  /** The metadata key under which the value is stored, if it is metadata. */
  readonly key?: string;
}

/** A schema. The attributes of an extension are in an object of their own, whose name is the id. */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly isExtension: boolean;
  readonly attributes: readonly Attribute[];
}

/** A resource, or a complex value, with the names of its schemas. */
export type Values = Record<string, unknown>;

/** The most values of an attribute, except the members of a group. */
const MOST_VALUES = 50;
/** The most members of a group in a request. */
export const MOST_MEMBERS = 1_000;

/** An attribute of a list. Names ignore case (RFC 7643, section 2.1). */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const key = name.toLowerCase();
  return attributes.find((each) => each.name.toLowerCase() === key);
}

/**
 * Reads a resource of a request: its known attributes under the names of the schemas, without those that clients cannot
 * set. Others are ignored (RFC 7644, section 3.3).
 *
 * @throws ScimError invalidValue.
 */
export function readResource(body: Values, schemas: readonly Schema[]): Values {
  const resource: Values = {};
  for (const { id, isExtension, attributes } of schemas) {
    if (!isExtension) {
      Object.assign(resource, readValues(body, attributes, ""));
      continue;
    }
    const [, given] = Object.entries(body).find(([name]) => name.toLowerCase() === id.toLowerCase()) ?? [];
    if (isValues(given)) resource[id] = readValues(given, attributes, `${id}:`);
  }
  return resource;
}

function readValues(given: Values, attributes: readonly Attribute[], prefix: string): Values {
  const values: Values = {};
  for (const [name, value] of Object.entries(given)) {
    const attribute = findAttribute(attributes, name);
    if (attribute === undefined || attribute.isReadOnly) continue;
    const read = readValue(attribute, value, prefix);
    if (read !== undefined) values[attribute.name] = read;
  }
  return values;
}

/**
 * Reads the value of an attribute. Null and an empty list are no value (RFC 7643, section 2.5), and so is empty text.
 *
 * @throws ScimError invalidValue.
 */
export function readValue(attribute: Attribute, value: unknown, prefix = ""): unknown {
  if (!attribute.multiValued) return readSingle(attribute, Array.isArray(value) ? value[0] : value, prefix);
  const given = value === undefined || value === null ? [] : [value].flat();
  throwIfTooMany(attribute, given, prefix);
  const values = given.map((each) => readSingle(attribute, each, prefix)).filter((each) => each !== undefined);
  return values.length === 0 ? undefined : values;
}

/** @throws ScimError invalidValue. */
export function throwIfTooMany({ name }: Attribute, { length }: readonly unknown[], prefix = ""): void {
  const most = name === "members" ? MOST_MEMBERS : MOST_VALUES;
  if (length > most) throw invalidValue(`${prefix}${name}: has more than ${most} values`);
}

function readSingle({ name, type, subAttributes = [] }: Attribute, value: unknown, prefix: string): unknown {
  const path = prefix + name;
  if (value === undefined || value === null || value === "") return undefined;
  switch (type) {
    case "boolean":
      return readBoolean(value, path);
    case "string":
      // Microsoft Entra ID sends complex values of an own mapping as objects with one value.
      if (isValues(value) && "value" in value) return readText(value.value, path);
      return readText(value, path);
    case "complex": {
      // Microsoft Entra ID sends `manager` as text.
      const given = isValues(value) ? value : { value };
      const values = readValues(given, subAttributes, `${path}.`);
      return Object.keys(values).length === 0 ? undefined : values;
    }
    default:
      return type satisfies never;
  }
}

/** Microsoft Entra ID sends `"False"`. */
function readBoolean(value: unknown, path: string): boolean {
  const text = typeof value === "string" ? value.toLowerCase() : value;
  if (text === true || text === "true") return true;
  if (text === false || text === "false") return false;
  throw invalidValue(`${path}: must be true or false`);
}

function readText(value: unknown, path: string): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    throw invalidValue(`${path}: must be a text`);
  }
  const text = String(value).trim();
  if (!isStorable(text)) throw invalidValue(`${path}: must not contain NUL or half of a surrogate pair`);
  return text === "" ? undefined : text;
}

/** Whether the database can store or compare a text. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

export function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
