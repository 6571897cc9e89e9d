import {
  type Attribute,
  findAttribute,
  isValues,
  readValue,
  type Schema,
  throwIfTooMany,
  type Values,
} from "./attributes.ts";
import { type Filter, parseFilter } from "./parse-filter.ts";
import { invalidValue, ScimError } from "./scim-error.ts";

const MOST_OPERATIONS = 100;
/** The most attributes that the operations set, and comparisons of a path. Both bound the time that a request takes. */
const MOST_PATHS = 500;
const MOST_PATH_COMPARISONS = 3;

/**
 * Applies the operations of a PATCH request (RFC 7644, section 3.5.2) to a resource, and returns the result. Accepts also
 * what directories send against the RFC: names of operations in any case; paths as names of members of a value without a path;
 * a value for `emails[type eq "work"].value` of a user who has no such address; values of removed members; and attributes
 * that are not in the schemas, which are ignored.
 *
 * @throws ScimError.
 */
export function applyPatch(stored: Values, body: Values, schemas: readonly Schema[]): Values {
  const resource = structuredClone(stored);
  for (const operation of readOperations(body)) applyOperation(resource, operation, schemas);
  return resource;
}

type Kind = "add" | "replace" | "remove";

interface Operation {
  readonly kind: Kind;
  /** Undefined if the members of the value are paths. */
  readonly path: string | undefined;
  readonly value: unknown;
}

/** Reads the operations of a PATCH request. @throws ScimError. */
export function readOperations(body: Values): readonly Operation[] {
  const [, operations] = Object.entries(body).find(([name]) => name.toLowerCase() === "operations") ?? [];
  if (!Array.isArray(operations) || operations.length === 0) {
    throw new ScimError(400, "invalidSyntax", "Operations: must be a list of operations");
  }
  if (operations.length > MOST_OPERATIONS)
    throw invalidValue(`Operations: has more than ${MOST_OPERATIONS} operations`);
  const read = operations.map(readOperation);
  const count = read.reduce((sum, { value }) => sum + countPaths(value), 0);
  if (count > MOST_PATHS) throw invalidValue(`Operations: set more than ${MOST_PATHS} attributes`);
  return read;
}

/** At most: the members of a value can be paths, and so can those of an extension in it. */
function countPaths(value: unknown): number {
  if (!isValues(value)) return 1;
  return Object.values(value).reduce<number>(
    (sum, each) => sum + (isValues(each) ? Math.max(Object.keys(each).length, 1) : 1),
    0,
  );
}

function readOperation(operation: unknown): Operation {
  if (!isValues(operation)) throw new ScimError(400, "invalidSyntax", "Operations: must contain objects");
  const given = Object.fromEntries(Object.entries(operation).map(([name, value]) => [name.toLowerCase(), value]));
  const kind = typeof given.op === "string" ? given.op.toLowerCase() : undefined;
  if (kind !== "add" && kind !== "replace" && kind !== "remove") {
    throw new ScimError(400, "invalidSyntax", "op: must be add, replace or remove");
  }
  const { path, value } = given;
  if (typeof path === "string" && path !== "") return { kind, path, value };
  if (kind === "remove") throw new ScimError(400, "noTarget", "path: is required to remove a value");
  if (!isValues(value)) throw new ScimError(400, "invalidSyntax", "value: must be an object, because path is absent");
  return { kind, path: undefined, value };
}

function applyOperation(resource: Values, { kind, path, value }: Operation, schemas: readonly Schema[]): void {
  if (path !== undefined) {
    applyAt(resource, kind, path, value, schemas);
    return;
  }
  for (const [name, each] of Object.entries(value as Values)) {
    if (!/^(?:schemas|id|meta)$/i.test(name)) applyAt(resource, kind, name, each, schemas);
  }
}

function applyAt(resource: Values, kind: Kind, path: string, value: unknown, schemas: readonly Schema[]): void {
  const { schema, name, filter, sub } = parsePath(path, schemas);
  const container = schema.isExtension ? extensionOf(resource, schema) : resource;
  if (name === "") {
    for (const [each, inner] of Object.entries(isValues(value) ? value : {})) {
      if (each !== "") applyAt(resource, kind, `${schema.id}:${each}`, inner, schemas);
    }
    if (kind === "remove") delete resource[schema.id];
    return;
  }
  const attribute = findAttribute(schema.attributes, name);
  const subAttribute = sub === undefined ? undefined : findAttribute(attribute?.subAttributes ?? [], sub);
  if (attribute === undefined || (sub !== undefined && subAttribute === undefined)) return;
  if (attribute.isReadOnly || subAttribute?.isReadOnly) {
    throw new ScimError(400, "mutability", `${attribute.name}: cannot be changed`);
  }
  const change = { container, attribute, kind, value };
  if (attribute.multiValued) applyToList({ ...change, filter, subAttribute });
  else applyToSingle({ ...change, subAttribute });
}

interface Change {
  readonly container: Values;
  readonly attribute: Attribute;
  readonly kind: Kind;
  readonly value: unknown;
  readonly subAttribute: Attribute | undefined;
}

function applyToSingle({ container, attribute, kind, value, subAttribute }: Change): void {
  const { name } = attribute;
  if (subAttribute !== undefined) {
    const held = isValues(container[name]) ? container[name] : {};
    container[name] = withValue(held, subAttribute, kind, value);
    return;
  }
  const read = kind === "remove" ? undefined : readValue(attribute, value);
  if (read === undefined) delete container[name];
  else container[name] = attribute.type === "complex" ? { ...(container[name] as object), ...(read as object) } : read;
}

function withValue(held: Values, attribute: Attribute, kind: Kind, value: unknown): Values {
  const { [attribute.name]: _, ...others } = held;
  const read = kind === "remove" ? undefined : readValue(attribute, value);
  return read === undefined ? others : { ...others, [attribute.name]: read };
}

function applyToList(change: Change & { readonly filter: Filter | undefined }): void {
  const { container, attribute, kind, value, filter, subAttribute } = change;
  const held = [container[attribute.name] ?? []].flat() as Values[];
  const result = ((): Values[] => {
    if (filter === undefined && subAttribute === undefined) {
      const given = (readValue(attribute, value) ?? []) as Values[];
      if (kind === "replace") return given;
      if (kind === "add") return addTo(held, given);
      const removed = new Set(given.map((each) => each.value));
      return given.length === 0 ? [] : held.filter((each) => !removed.has(each.value));
    }
    const isMeant = (each: Values) => filter === undefined || matches(each, filter);
    if (kind === "remove") {
      if (subAttribute === undefined) return held.filter((each) => !isMeant(each));
      return held.map((each) => (isMeant(each) ? withValue(each, subAttribute, kind, value) : each));
    }
    const found = held.some(isMeant) ? held : [...held, toEntry(filter)];
    return found.map((each) => {
      if (held.includes(each) && !isMeant(each)) return each;
      if (subAttribute !== undefined) return withValue(each, subAttribute, kind, value);
      return { ...each, ...(([readValue(attribute, value)].flat()[0] as Values | undefined) ?? {}) };
    });
  })();
  throwIfTooMany(attribute, result);
  const valued = result.filter((each) => each.value !== undefined);
  if (valued.length === 0) delete container[attribute.name];
  else container[attribute.name] = valued;
}

/** A value that is there already changes. Only one value is the primary one (RFC 7643, section 2.4). */
function addTo(held: readonly Values[], given: readonly Values[]): Values[] {
  const values = new Set(given.map(({ value }) => value));
  const kept = held.filter((each) => !values.has(each.value));
  const hasPrimary = given.some(({ primary }) => primary === true);
  return [...kept.map((each) => (hasPrimary && each.primary === true ? { ...each, primary: false } : each)), ...given];
}

/** The value that a filter describes: `{ type: "work" }` for `type eq "work"`. */
function toEntry(filter: Filter | undefined): Values {
  if (filter?.kind === "compare" && filter.operator === "eq") return { [filter.path]: filter.value };
  if (filter?.kind === "and") return Object.assign({}, ...filter.filters.map(toEntry));
  return {};
}

function matches(values: Values, filter: Filter): boolean {
  switch (filter.kind) {
    case "and":
      return filter.filters.every((each) => matches(values, each));
    case "or":
      return filter.filters.some((each) => matches(values, each));
    case "not":
      return !matches(values, filter.filter);
    case "compare": {
      const { path, operator, value } = filter;
      // The sub-attributes of lists have names in lower case, like the path.
      return compares(Object.hasOwn(values, path) ? values[path] : undefined, operator, value);
    }
    default:
      return filter satisfies never;
  }
}

function compares(stored: unknown, operator: string, wanted: unknown): boolean {
  if (operator === "pr") return stored !== undefined;
  const text = String(stored ?? "").toLowerCase();
  const other = String(wanted ?? "").toLowerCase();
  switch (operator) {
    case "eq":
      return text === other;
    case "ne":
      return text !== other;
    case "co":
      return text.includes(other);
    case "sw":
      return text.startsWith(other);
    case "ew":
      return text.endsWith(other);
    default:
      throw new ScimError(400, "invalidFilter", `${operator} is not allowed in a path`);
  }
}

interface Path {
  readonly schema: Schema;
  /** Empty for the whole extension. */
  readonly name: string;
  readonly filter: Filter | undefined;
  readonly sub: string | undefined;
}

/** @throws ScimError invalidPath, invalidFilter. */
function parsePath(path: string, schemas: readonly Schema[]): Path {
  const lower = path.toLowerCase();
  const named = schemas.find(({ id }) => lower === id.toLowerCase() || lower.startsWith(`${id.toLowerCase()}:`));
  const schema = named ?? schemas.find(({ isExtension }) => !isExtension);
  const rest = named === undefined ? path : path.slice(named.id.length + 1);
  if (schema === undefined) throw new Error("there is no schema");
  if (rest === "") return { schema, name: "", filter: undefined, sub: undefined };
  const [, name, filter, sub] = /^([\w$-]+)(?:\[(.{1,500})\])?(?:\.([\w$-]+))?$/s.exec(rest) ?? [];
  // An attribute of a schema that is not supported.
  if (name === undefined && /^urn:[\w:.-]+$/i.test(rest))
    return { schema, name: "-", filter: undefined, sub: undefined };
  if (name === undefined) throw new ScimError(400, "invalidPath", "path: is no path of an attribute");
  return { schema, name, filter: filter === undefined ? undefined : parseFilter(filter, MOST_PATH_COMPARISONS), sub };
}

function extensionOf(resource: Values, { id }: Schema): Values {
  const held = isValues(resource[id]) ? resource[id] : {};
  resource[id] = held;
  return held;
}
