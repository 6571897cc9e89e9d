import { type DescField, type DescMessage, type DescMethod, getOption, type JsonObject } from "@bufbuild/protobuf";
import { http } from "../../gen/google/api/annotations_pb.js";
import { deprecated_since, permission } from "../../gen/signet/v1/options_pb.js";
import { paragraphsOf } from "./comments.ts";
import { fallback, known, requestExample, responseExample } from "./create-examples.ts";
import type { Schemas } from "./create-schemas.ts";
import { ERRORS, errorResponses, takesKey } from "./error-responses.ts";
import { isRequired } from "./rules.ts";

/** An OpenAPI operation and its location. */
export interface Route {
  /** Such as `/management/v1/users/{userId}/phone`. */
  readonly path: string;
  /** The HTTP method in lower case. */
  readonly httpMethod: string;
  readonly operation: JsonObject;
}

/** The operation of a method with a route (google/api/http.proto). */
export function createRoute(method: DescMethod, schemas: Schemas): Route {
  const { pattern, body } = getOption(method, http);
  if (pattern.case === undefined || pattern.case === "custom") throw new Error(`${method} has no HTTP method`);
  if (body !== "" && body !== "*") throw new Error(`${method}: a body that is one field is not supported`);
  const { input } = method;
  const inPath = [...pattern.value.matchAll(/\{(\w+)\}/g)].map(([, name]) => fieldOf(input, name ?? ""));
  const rest = input.fields.filter((field) => !inPath.includes(field));
  const parameters = [
    ...inPath.map((field) => toParameter(field, "path", schemas)),
    ...(body === "" ? queryParameters(rest, schemas) : []),
    ...(actsOnOrg(method) ? [{ $ref: "#/components/parameters/x-service-orgid" }] : []),
    ...(takesKey(method) ? [{ $ref: "#/components/parameters/idempotency-key" }] : []),
  ];
  return {
    path: pattern.value.replace(/\{(\w+)\}/g, (_, name: string) => `{${fieldOf(input, name).jsonName}}`),
    httpMethod: pattern.case,
    operation: {
      operationId: `${method.parent.name}_${method.name}`,
      ...toTexts(method),
      tags: [method.parent.name],
      ...(method.proto.options?.deprecated && { deprecated: true }),
      security: [{ token: [getOption(method, permission)].filter((name) => name !== "") }],
      ...(parameters.length > 0 && { parameters }),
      ...(body === "*" && { requestBody: toRequestBody(input, inPath, rest, schemas) }),
      responses: { 200: toResponse(method, schemas), ...errorResponses(method, body === "*") },
    },
  };
}

/** Permissions that begin with `iam.` apply to the instance (signet/v1/options.proto). */
function actsOnOrg(method: DescMethod): boolean {
  return !getOption(method, permission).startsWith("iam.");
}

/** The summary is the first sentence; the description is the comment without its errors, which the responses list. */
function toTexts(method: DescMethod): JsonObject {
  const paragraphs = paragraphsOf(method).filter((text) => !ERRORS.test(text));
  const name = getOption(method, permission);
  const summary = paragraphs[0]?.match(/^.*?\.(?= |$)/)?.[0].slice(0, -1);
  const description = [...paragraphs, ...(name ? [`Permission: \`${name}\`.`] : [])].join("\n\n");
  return { ...(summary && { summary }), ...(description && { description }) };
}

function toRequestBody(input: DescMessage, inPath: DescField[], rest: DescField[], schemas: Schemas): JsonObject {
  const schema = schemas.referBody(
    input,
    inPath.map(({ name }) => name),
  );
  // The service rejects a POST or PUT without a content type, even if no field is required.
  return { required: true, content: { "application/json": { schema, example: requestExample(input, rest) } } };
}

function toResponse(method: DescMethod, schemas: Schemas): JsonObject {
  const { output } = method;
  return {
    description: "OK",
    headers: {
      "x-request-id": { $ref: "#/components/headers/x-request-id" },
      ...(getOption(method, deprecated_since) > 0n && {
        deprecation: { $ref: "#/components/headers/deprecation" },
        link: { $ref: "#/components/headers/link" },
      }),
    },
    content: { "application/json": { schema: schemas.refer(output), example: responseExample(output) } },
  };
}

/** The query parameters. Fields of nested messages have dotted names. */
function queryParameters(fields: readonly DescField[], schemas: Schemas, within: readonly DescField[] = []) {
  return fields.flatMap((field): JsonObject[] => {
    if (!field.message) return [toParameter(field, "query", schemas, within)];
    if (field.fieldKind !== "message" || within.includes(field)) return [];
    return queryParameters(field.message.fields, schemas, [...within, field]);
  });
}

function toParameter(
  field: DescField,
  place: "path" | "query",
  schemas: Schemas,
  within: readonly DescField[] = [],
): JsonObject {
  const { description, deprecated, ...schema } = schemas.ofField(field);
  const isNeeded = place === "path" || (within.length === 0 && isRequired(field));
  const example = known(field) ?? (isNeeded ? fallback(field) : undefined);
  return {
    name: [...within, field].map(({ jsonName }) => jsonName).join("."),
    in: place,
    ...(description && { description }),
    ...(deprecated && { deprecated }),
    ...(isNeeded && { required: true }),
    schema,
    ...(example !== undefined && { example }),
  };
}

function fieldOf(input: DescMessage, name: string): DescField {
  const field = input.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${input} has no field ${name}`);
  return field;
}
