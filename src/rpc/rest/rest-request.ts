import {
  create,
  type DescField,
  type DescMessage,
  equals,
  fromJson,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { invalidArgument } from "../../errors.ts";
import type { FoundRoute } from "./http-rule.ts";
import { isObject, shorten } from "./json-syntax.ts";

/**
 * Joins path, query and body of a REST request to the JSON form of the method's input, as google/api/http.proto divides the
 * fields between them: what the path holds, what the body holds, and the rest in the query (nothing, when the body is `*`).
 * `body` is undefined where the request has none. Whether the values fit their fields is for the reader of the JSON to say.
 *
 * Throws INVALID_ARGUMENT for a field at a wrong place, given twice, or given by path and body with different values.
 */
export function toRequestJson(route: FoundRoute, query: URLSearchParams, body: JsonValue | undefined): JsonObject {
  const { input } = route.method;
  const request = bodyToRequest(route, body);
  const pathFields = [...route.variables].map(([name, text]) => ({ target: resolve(input, name), text }));
  for (const { target, text } of pathFields) {
    if (target) put(request, target, fieldFromText(target, text));
  }

  const held = new Set(pathFields.map(({ target }) => target?.path));
  const bodyField = input.fields.find(({ name }) => name === route.body);
  const parameters = new Map<string, { target: Target; texts: string[] }>();
  for (const [name, text] of query) {
    const target = resolve(input, name);
    if (!target) throw invalidArgument({ field: shorten(name), description: "is not known as a query parameter" });
    const refuse = (description: string) => invalidArgument({ field: target.path, description });
    if (held.has(target.path)) throw refuse("must not be a query parameter: the path holds it");
    if (route.body === "*" || target.fields[0] === bodyField)
      throw refuse("must not be a query parameter: it belongs in the body");
    if (!isQueryable(target.leaf)) throw refuse("cannot be a query parameter, only its fields can");
    const parameter = parameters.get(target.path);
    if (parameter && target.leaf.fieldKind !== "list") throw refuse("must not be given more than once");
    if (parameter) parameter.texts.push(text);
    else parameters.set(target.path, { target, texts: [text] });
  }
  for (const { target, texts } of parameters.values()) {
    const values = texts.map((text) => fieldFromText(target, text));
    put(request, target, target.leaf.fieldKind === "list" ? values : (values[0] ?? null));
  }
  return request;
}

/** A field within the input: the fields that lead to it, itself included, and its JSON path. */
interface Target {
  readonly fields: readonly DescField[];
  readonly leaf: DescField;
  readonly path: string;
}

function bodyToRequest({ method, body: place }: FoundRoute, body: JsonValue | undefined): JsonObject {
  if (body === undefined) return {};
  if (place === "") throw invalidArgument({ field: "", description: "this request takes no body" });
  const field = method.input.fields.find(({ name }) => name === place);
  if (field) return { [field.jsonName]: body };
  if (!isObject(body)) throw invalidArgument({ field: "", description: "the body must be a JSON object" });
  return { ...body };
}

/** Follows a dotted name, each part in camelCase or as in the proto, through singular messages. */
function resolve(input: DescMessage, name: string): Target | undefined {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = input;
  for (const part of name.split(".")) {
    const field: DescField | undefined = message?.fields.find((each) => each.jsonName === part || each.name === part);
    if (!field) return undefined;
    fields.push(field);
    message = field.fieldKind === "message" ? field.message : undefined;
  }
  const leaf = fields.at(-1);
  return leaf && { fields, leaf, path: fields.map(({ jsonName }) => jsonName).join(".") };
}

/** Well-known types whose JSON form is a string; wrappers have that of what they wrap. */
const TEXT_TYPES = new Set(["google.protobuf.Timestamp", "google.protobuf.Duration", "google.protobuf.FieldMask"]);

function isQueryable(field: DescField): boolean {
  if (field.fieldKind === "message") return TEXT_TYPES.has(field.message.typeName) || isWrapperDesc(field.message);
  return field.fieldKind === "list" ? field.listKind !== "message" : field.fieldKind !== "map";
}

/** The JSON mapping takes numbers, times and bytes as strings; only bool and the numbers of enums need another form. */
function fieldFromText({ leaf, path }: Target, text: string): JsonValue {
  const { scalar }: DescField = leaf.message && isWrapperDesc(leaf.message) ? leaf.message.fields[0] : leaf;
  if (scalar === ScalarType.BOOL) {
    if (text !== "true" && text !== "false")
      throw invalidArgument({ field: path, description: "must be true or false" });
    return text === "true";
  }
  return leaf.enum && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** Sets a field, copying the objects on the way to it. What is there already must mean the same. */
function put(request: JsonObject, { fields, leaf, path }: Target, value: JsonValue): void {
  let holder = request;
  for (const [index, field] of fields.entries()) {
    const given = Object.keys(holder).filter((key) => key === field.jsonName || key === field.name);
    // Both names at once: left as it is for the reader of the JSON, who refuses it.
    if (given.length > 1) return;
    const [key = field.jsonName] = given;
    const current = given.length > 0 ? (holder[key] ?? null) : null;
    if (field === leaf) {
      if (current !== null && !isSame(field, current, value)) {
        throw invalidArgument({ field: path, description: "has one value in the path and another in the body" });
      }
      holder[key] = value;
      return;
    }
    if (current !== null && !isObject(current)) {
      const at = fields.slice(0, index + 1).map(({ jsonName }) => jsonName);
      throw invalidArgument({ field: at.join("."), description: "must be an object" });
    }
    const next: JsonObject = { ...current };
    holder[key] = next;
    holder = next;
  }
}

/** Whether the body's value is that of the path, or the default of a field that does not tell default from absent. */
function isSame(field: DescField, inBody: JsonValue, value: JsonValue): boolean {
  const { parent } = field;
  try {
    const read = fromJson(parent, { [field.jsonName]: inBody });
    return equals(parent, read, create(parent)) || equals(parent, read, fromJson(parent, { [field.jsonName]: value }));
  } catch {
    return false;
  }
}
