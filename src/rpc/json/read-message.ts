import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageShape,
  type Registry,
  ScalarType,
} from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { invalidArgument, type Violation } from "../../errors.ts";
import { isObject, shorten } from "./json-syntax.ts";

/**
 * Reads a message from its JSON form, unknown fields refused. Throws INVALID_ARGUMENT that names the first field in the way by
 * its JSON path, what is wrong with it and what is allowed. Values are not quoted, they may be secret; names are, shortened.
 */
export function readMessage<T extends DescMessage>(desc: T, json: JsonValue, registry?: Registry): MessageShape<T> {
  try {
    return fromJson(desc, json, options(registry));
  } catch {
    const problem = messageProblem(desc, json, { path: "", depth: 1, registry });
    throw invalidArgument(problem ?? { field: "", description: `is not a valid ${desc.typeName} message` });
  }
}

/** Reads a message from its binary form. Throws INVALID_ARGUMENT when it is malformed. */
export function readBinary<T extends DescMessage>(desc: T, bytes: Uint8Array): MessageShape<T> {
  try {
    return fromBinary(desc, bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "malformed";
    throw invalidArgument({ field: "", description: `is not a valid ${desc.typeName} message: ${reason}` });
  }
}

interface Place {
  readonly path: string;
  /** How many messages deep, as fromJson counts. */
  readonly depth: number;
  readonly registry: Registry | undefined;
}

/** The bound of fromJson, which also bounds the recursion here. */
const MAX_DEPTH = 100;

const options = (registry: Registry | undefined) => ({ recursionLimit: MAX_DEPTH, ...(registry && { registry }) });

/** Finds the first problem in the order of the text. It finds the place only: fromJson is the judge of every value. */
function messageProblem(desc: DescMessage, json: JsonValue, place: Place): Violation | undefined {
  const { path, depth, registry } = place;
  if (isWellKnown(desc)) {
    return isReadable(desc, json, registry) ? undefined : { field: path, description: mustBe(messageForm(desc), json) };
  }
  if (!isObject(json)) return { field: path, description: mustBe({ text: "an object", kinds: [] }, json) };
  if (depth > MAX_DEPTH) return { field: path, description: `is nested more than ${MAX_DEPTH} levels deep` };
  const known = new Map(
    desc.fields.flatMap((field) => [[field.name, field] as const, [field.jsonName, field] as const]),
  );
  const seen = new Map<DescField | DescOneof, string>();
  for (const [key, value] of Object.entries(json)) {
    const field = known.get(key);
    if (!field) {
      if (key.startsWith("[") && isReadable(desc, { [key]: value }, registry)) continue;
      const names = desc.fields.map(({ jsonName }) => jsonName).join(", ");
      return { field: join(path, shorten(key)), description: `is not known; known are ${names || "no fields at all"}` };
    }
    const at = join(path, field.jsonName);
    if (seen.has(field)) return { field: at, description: `is given twice, as ${seen.get(field)} and ${key}` };
    seen.set(field, key);
    if (field.oneof && !(value === null && field.fieldKind === "scalar")) {
      const other = seen.get(field.oneof);
      if (other) return { field: at, description: `must not be given together with ${other}` };
      seen.set(field.oneof, field.jsonName);
    }
    const problem = fieldProblem(field, key, value, { ...place, path: at });
    if (problem) return problem;
  }
  return undefined;
}

function fieldProblem(field: DescField, key: string, value: JsonValue, place: Place): Violation | undefined {
  const { path, registry } = place;
  const canRead = (json: JsonValue) => isReadable(field.parent, { [key]: json }, registry);
  const refuse = (form: Form, json = value, at = path) => ({ field: at, description: mustBe(form, json) });
  if (value === null && canRead(null)) return undefined;
  switch (field.fieldKind) {
    case "scalar":
    case "enum":
      return canRead(value) ? undefined : refuse(valueForm(field, value));
    case "message":
      return messageProblem(field.message, value, { ...place, depth: place.depth + 1 });
    case "list": {
      if (!Array.isArray(value)) return refuse({ text: "an array", kinds: [] });
      if (field.listKind !== "message") {
        if (canRead(value)) return undefined;
        const index = firstUnreadable(value, canRead);
        const item = value[index] ?? null;
        return refuse(valueForm(field, item), item, `${path}[${index}]`);
      }
      for (const [index, item] of value.entries()) {
        const at = `${path}[${index}]`;
        const problem = messageProblem(field.message, item, { ...place, path: at, depth: place.depth + 1 });
        if (problem) return problem;
      }
      return undefined;
    }
    case "map": {
      if (!isObject(value)) return refuse({ text: "an object", kinds: [] });
      for (const [name, item] of Object.entries(value)) {
        const at = `${path}[${JSON.stringify(shorten(name))}]`;
        if (field.mapKind === "message") {
          const problem = messageProblem(field.message, item, { ...place, path: at, depth: place.depth + 1 });
          if (problem) return problem;
        } else if (!canRead({ [sampleKey(field.mapKey)]: item })) {
          return refuse(valueForm(field, item), item, at);
        }
        if (!canRead({ [name]: item })) {
          return { field: at, description: `must have a key that is ${scalarForm(field.mapKey).text}` };
        }
      }
      return canRead(value) ? undefined : { field: path, description: "must not have a key twice" };
    }
    default:
      return field satisfies never;
  }
}

/** By halves: one attempt for each item would take too long for many. At least one item must be unreadable. */
function firstUnreadable(items: readonly JsonValue[], canRead: (items: JsonValue[]) => boolean): number {
  let low = 0;
  let high = items.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (canRead(items.slice(low, middle))) low = middle;
    else high = middle;
  }
  return low;
}

function isReadable(desc: DescMessage, json: JsonValue, registry: Registry | undefined): boolean {
  try {
    fromJson(desc, json, options(registry));
    return true;
  } catch {
    return false;
  }
}

/** What a value has to be. A value of one of the kinds is wrong in another way than by its kind. */
interface Form {
  readonly text: string;
  readonly kinds: readonly string[];
}

function mustBe({ text, kinds }: Form, json: JsonValue): string {
  const kind = kindOf(json);
  return kinds.includes(kind) ? `must be ${text}` : `must be ${text}, is ${kind}`;
}

function kindOf(json: JsonValue): string {
  if (json === null) return "null";
  if (Array.isArray(json)) return "an array";
  return typeof json === "object" ? "an object" : `a ${typeof json}`;
}

function valueForm(field: DescField, value: JsonValue): Form {
  if (field.enum) return enumForm(field.enum, value);
  const isText = field.scalar === ScalarType.STRING && typeof value === "string";
  if (isText) return { text: "a string without lone surrogates", kinds: ["a string"] };
  return field.scalar ? scalarForm(field.scalar) : { text: "valid", kinds: [] };
}

function enumForm({ values, open }: DescEnum, value: JsonValue): Form {
  const names = `one of ${values.map(({ name }) => name).join(", ")}`;
  if (typeof value === "string") return { text: `${names}, is ${JSON.stringify(shorten(value))}`, kinds: ["a string"] };
  return {
    text: open && typeof value === "number" ? `${names}, or a whole number of 32 bits` : names,
    kinds: ["a number"],
  };
}

function scalarForm(scalar: ScalarType): Form {
  const numeric = ["a number", "a string"];
  switch (scalar) {
    case ScalarType.STRING:
      return { text: "a string", kinds: [] };
    case ScalarType.BOOL:
      return { text: "true or false", kinds: [] };
    case ScalarType.BYTES:
      return { text: "a string in base64", kinds: ["a string"] };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { text: `a number of ${scalar === ScalarType.FLOAT ? 32 : 64} bits`, kinds: numeric };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { text: "a whole number from 0 to 4294967295", kinds: numeric };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return { text: "a whole number from -2147483648 to 2147483647", kinds: numeric };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { text: "a whole number from 0 to 18446744073709551615", kinds: numeric };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return { text: "a whole number from -9223372036854775808 to 9223372036854775807", kinds: numeric };
    default:
      return scalar satisfies never;
  }
}

/** A key that maps of this kind can have. */
function sampleKey(mapKey: ScalarType): string {
  return mapKey === ScalarType.BOOL ? "true" : "1";
}

const WELL_KNOWN: Readonly<Record<string, Form>> = {
  "google.protobuf.Timestamp": { text: "a time of RFC 3339, such as 2026-01-31T12:00:00Z", kinds: ["a string"] },
  "google.protobuf.Duration": { text: "a duration in seconds, such as 3.5s", kinds: ["a string"] },
  "google.protobuf.FieldMask": { text: "names of fields in camelCase, separated by commas", kinds: ["a string"] },
  "google.protobuf.Any": { text: "an object with a known @type and the fields of that type", kinds: ["an object"] },
  "google.protobuf.Struct": { text: `an object at most ${MAX_DEPTH} levels deep`, kinds: ["an object"] },
  "google.protobuf.ListValue": { text: `an array at most ${MAX_DEPTH} levels deep`, kinds: ["an array"] },
  "google.protobuf.Value": { text: `at most ${MAX_DEPTH} levels deep`, kinds: ["an array", "an object"] },
};

/** Whether the type has a JSON form of its own (protobuf.dev/programming-guides/json). */
function isWellKnown(desc: DescMessage): boolean {
  return isWrapperDesc(desc) || Object.hasOwn(WELL_KNOWN, desc.typeName);
}

function messageForm(desc: DescMessage): Form {
  if (isWrapperDesc(desc)) return scalarForm(desc.fields[0].scalar);
  return WELL_KNOWN[desc.typeName] ?? { text: "an object", kinds: [] };
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
