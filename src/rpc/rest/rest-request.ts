import {
  create,
  type DescField,
  type DescMessage,
  equals,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { invalidArgument } from "../../errors.ts";
import { findField, isObject, shorten } from "../json/json-syntax.ts";
import { readMessage } from "../json/read-message.ts";
import type { FoundRoute } from "./http-rule.ts";

/**
 * Combines the path, query and body of a REST request into the JSON form of the method's input. According to
 * google/api/http.proto, the path contains some fields, the body contains one field or all others (`*`), and the query
 * contains the rest. A mask that the body does not have names the fields in the body, as AIP-134 describes for PATCH.
 * Does not check the types of the values.
 *
 * @param body Undefined if the request has no body.
 * @throws SignetError INVALID_ARGUMENT for a field in the wrong place, a field given twice, and a field whose values in
 *   path and body differ.
 */
export function toRequestJson(route: FoundRoute, query: URLSearchParams, body: JsonValue | undefined): JsonObject {
  const request = readBody(route, body);
  addMask(request, route);
  addPath(request, route);
  addQuery(request, route, query);
  return request;
}

function readBody({ method, body: place }: FoundRoute, body: JsonValue | undefined): JsonObject {
  if (body === undefined) return {};
  if (place === "") throw invalidArgument({ field: "", description: "this request must not have a body" });
  const field = method.input.fields.find(({ name }) => name === place);
  if (field) return { [field.jsonName]: body };
  if (!isObject(body)) throw invalidArgument({ field: "", description: "the body must be a JSON object" });
  return { ...body };
}

/** Only `null` leaves a mask unset: an empty one names no field. */
function addMask(request: JsonObject, { method: { input }, variables }: FoundRoute): void {
  const mask = input.fields.find(({ message }) => message?.typeName === FieldMaskSchema.typeName);
  if (mask === undefined || [mask.name, mask.jsonName].some((key) => (ownValue(request, key) ?? null) !== null)) return;
  const given = Object.keys(request).flatMap((key) => findField(input, key) ?? []);
  const named = given.filter((field) => field !== mask && !variables.has(field.name));
  if (named.length === 0) return;
  // `readMessage` rejects a field that is given under both of its names, also a mask.
  const key = Object.hasOwn(request, mask.name) ? mask.name : mask.jsonName;
  request[key] = named.map(({ jsonName }) => jsonName).join(",");
}

function addPath(request: JsonObject, { method, variables }: FoundRoute): void {
  for (const [name, text] of variables) {
    const field = findField(method.input, name);
    if (!field) throw new Error(`${method.input} has no field ${name}`);
    const value = toJsonValue(field, text, field.jsonName);
    // If the body has the field under both names, `readMessage` rejects it.
    const key = Object.hasOwn(request, field.name) ? field.name : field.jsonName;
    const inBody = ownValue(request, key) ?? null;
    if (inBody !== null && !isSame(field, inBody, value)) {
      const description = "has one value in the path and another in the body";
      throw invalidArgument({ field: field.jsonName, description });
    }
    request[key] = value;
  }
}

/** Whether the value in the body equals the one in the path, or is the default value of a field without presence. */
function isSame({ parent, jsonName }: DescField, inBody: JsonValue, value: JsonValue): boolean {
  try {
    const read = readMessage(parent, { [jsonName]: inBody });
    return equals(parent, read, create(parent)) || equals(parent, read, readMessage(parent, { [jsonName]: value }));
  } catch {
    return false;
  }
}

function addQuery(request: JsonObject, { method: { input }, body, variables }: FoundRoute, query: URLSearchParams) {
  for (const [name, text] of query) {
    const fields = resolve(input, name);
    const [first, leaf] = [fields?.[0], fields?.at(-1)];
    if (!fields || !first || !leaf) {
      throw invalidArgument({ field: shorten(name), description: "is not a known query parameter" });
    }
    const path = fields.map(({ jsonName }) => jsonName).join(".");
    const refuse = (description: string) => invalidArgument({ field: path, description });
    if (variables.has(first.name)) throw refuse("must not be a query parameter: it is part of the path");
    if (body === "*" || first.name === body) throw refuse("must not be a query parameter: it belongs in the body");
    if (leaf.message) throw refuse("cannot be a query parameter, only its fields can");

    let holder = request;
    for (const { jsonName } of fields.slice(0, -1)) {
      const given = ownValue(holder, jsonName);
      const inner = given !== undefined && isObject(given) ? given : {};
      holder[jsonName] = inner;
      holder = inner;
    }
    const value = toJsonValue(leaf, text, path);
    const given = ownValue(holder, leaf.jsonName);
    if (Array.isArray(given)) given.push(value);
    else if (given !== undefined) throw refuse("must not be given more than once");
    else holder[leaf.jsonName] = leaf.fieldKind === "list" ? [value] : value;
  }
}

/** The value of an own key, ignoring inherited ones such as `constructor`. */
function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Follows a dotted name through singular messages, each part in camelCase or as in the proto file. */
function resolve(input: DescMessage, name: string): DescField[] | undefined {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = input;
  for (const part of name.split(".")) {
    const field: DescField | undefined = message && findField(message, part);
    if (!field) return undefined;
    fields.push(field);
    message = field.fieldKind === "message" ? field.message : undefined;
  }
  return fields;
}

/** Converts text to its JSON form. Integers may be strings in JSON; only booleans and enum numbers need conversion. */
function toJsonValue(field: DescField, text: string, path: string): JsonValue {
  if (field.scalar === ScalarType.BOOL) {
    if (text !== "true" && text !== "false")
      throw invalidArgument({ field: path, description: "must be true or false" });
    return text === "true";
  }
  return field.enum && /^-?\d+$/.test(text) ? Number(text) : text;
}
