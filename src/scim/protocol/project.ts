import { isValues, type Values } from "./attributes.ts";

/** Which attributes a response has (RFC 7644, section 3.9). */
export interface Projection {
  readonly attributes: readonly string[] | undefined;
  readonly excludedAttributes: readonly string[] | undefined;
}

/** Attributes that are always returned. */
const ALWAYS = ["schemas", "id", "meta"];

/** Leaves out what was not asked for. Names can begin with the URN of a schema. */
export function project(resource: Values, { attributes, excludedAttributes }: Projection): Values {
  if (attributes !== undefined) return pickFrom(resource, new Set(attributes.map(toLower)), "");
  if (excludedAttributes !== undefined) return dropFrom(resource, new Set(excludedAttributes.map(toLower)), "");
  return resource;
}

const toLower = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^urn:ietf:params:scim:schemas:core:2\.0:\w+:/, "");

/** The path of a member: members of an extension are separated by a colon. */
const pathOf = (prefix: string, name: string) =>
  prefix === "" ? name.toLowerCase() : `${prefix}${prefix.startsWith("urn:") ? ":" : "."}${name.toLowerCase()}`;

function pickFrom(values: Values, names: ReadonlySet<string>, prefix: string): Values {
  const picked: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const path = pathOf(prefix, name);
    if (names.has(path) || (prefix === "" && ALWAYS.includes(name))) picked[name] = value;
    else if (typeof value === "object" && isAnyBelow(names, path)) {
      picked[name] = mapInside(value, (inner) => pickFrom(inner, names, path));
    }
  }
  return picked;
}

function isAnyBelow(names: ReadonlySet<string>, path: string): boolean {
  for (const name of names) if (name.startsWith(`${path}.`) || name.startsWith(`${path}:`)) return true;
  return false;
}

function dropFrom(values: Values, names: ReadonlySet<string>, prefix: string): Values {
  const kept: Values = {};
  for (const [name, value] of Object.entries(values)) {
    const path = pathOf(prefix, name);
    const isAlways = prefix === "" && ALWAYS.includes(name);
    if (isAlways || !names.has(path))
      kept[name] = isAlways ? value : mapInside(value, (inner) => dropFrom(inner, names, path));
  }
  return kept;
}

function mapInside(value: unknown, map: (inner: Values) => Values): unknown {
  if (Array.isArray(value)) return value.map((each) => (isValues(each) ? map(each) : each));
  return isValues(value) ? map(value) : value;
}
