import { type DescService, hasOption, type JsonObject } from "@bufbuild/protobuf";
import { http } from "../../gen/google/api/annotations_pb.js";
import { REASONS } from "../../src/errors.ts";
import { CODES } from "../../src/http/error-object.ts";
import { paragraphsOf } from "./comments.ts";
import { createRoute } from "./create-operation.ts";
import { createSchemas, reachableFrom } from "./create-schemas.ts";
import { ERRORS, errorExamples } from "./error-responses.ts";
import { nameAlike } from "./name-alike.ts";

/** The OpenAPI 3.1 document of the methods with a route. */
export function createDocument(services: readonly DescService[]): JsonObject {
  const shown = services.filter(({ methods }) => methods.some((method) => hasOption(method, http)));
  const methods = shown.flatMap((service) => service.methods).filter((method) => hasOption(method, http));
  const schemas = createSchemas(reachableFrom(methods.map(({ input }) => input)));
  const paths: Record<string, JsonObject> = {};
  for (const { path, httpMethod, operation } of nameAlike(methods.map((method) => createRoute(method, schemas)))) {
    paths[path] = { ...paths[path], [httpMethod]: operation };
  }
  const examples = new Set(JSON.stringify(paths).match(/(?<="#\/components\/examples\/)\w+/g));
  return {
    openapi: "3.1.0",
    info: {
      title: "Signet",
      version: "v1",
      summary: "Identity management service",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: shown.map((service) => ({
      name: service.name,
      description: paragraphsOf(service)
        .filter((text) => !ERRORS.test(text))
        .join("\n\n"),
    })),
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: TOKEN },
      },
      parameters: { "x-service-orgid": ORG_PARAMETER, "idempotency-key": KEY_PARAMETER },
      headers: HEADERS,
      examples: errorExamples(examples),
      responses: { Error: ANY_ERROR },
      schemas: { ...schemas.components(), Error: ERROR },
    },
  };
}

const DESCRIPTION = `REST form of the gRPC services of Signet.

Responses leave out fields that are empty, false, zero or the first value of an enum. 64-bit integers are strings; requests may
also have them as numbers. Requests with unknown fields are rejected.

Every error is a \`google.rpc.Status\` in JSON. Its details contain a \`google.rpc.ErrorInfo\` with a stable reason, and for
invalid input a \`google.rpc.BadRequest\` that names every invalid field.`.replace(/(?<!\n)\n(?!\n)/g, " ");

const TOKEN =
  "A personal access token (`signet token create`), or an access token with the scope `urn:signet:api`, for applications with API access.";

const ORG_PARAMETER: JsonObject = {
  name: "x-service-orgid",
  in: "header",
  description:
    "Id of the organization that the call acts on. Default: the organization of the caller. `x-zitadel-orgid` means the same.",
  // An id of allowed characters that does not exist is rejected as not found.
  schema: { type: "string", pattern: "^[ -+\\--~]*$" },
};

const KEY_PARAMETER: JsonObject = {
  name: "idempotency-key",
  in: "header",
  description: "For 24 hours, the same call with the same key gets the same response without another change.",
  schema: { type: "string", pattern: "^[!-~]{1,255}$" },
};

const HEADERS: JsonObject = {
  "x-request-id": { description: "Id of the request in the log.", schema: { type: "string" } },
  deprecation: {
    description: "Since when the call is deprecated (RFC 9745).",
    schema: { type: "string", pattern: "^@[0-9]+$" },
  },
  link: {
    description: "The path of the call that replaces a deprecated one (RFC 5829).",
    schema: { type: "string", pattern: '^<[^>]+>; rel="successor-version"$' },
  },
  "www-authenticate": { description: "How to authenticate (RFC 9110).", schema: { type: "string" } },
  "retry-after": {
    description: "After how many seconds the call can be repeated (RFC 9110). Absent where a repetition does not help.",
    schema: { type: "integer", minimum: 0 },
  },
  allow: {
    description: "With status 405: the methods that the path supports (RFC 9110).",
    schema: { type: "string" },
  },
};

const typed = (name: string, properties: JsonObject, required: string[]): JsonObject => ({
  type: "object",
  properties: { "@type": { const: `type.googleapis.com/google.rpc.${name}` }, ...properties },
  required: ["@type", ...required],
});

const codes = Object.entries(CODES).map(([name, { rpc }]) => `${rpc} ${name.toUpperCase()}`);

/** google.rpc.Status, with the details that the service sends (`toErrorResponse`). */
const ERROR: JsonObject = {
  type: "object",
  description: "An error: `google.rpc.Status`.",
  properties: {
    code: { type: "integer", format: "int32", description: `Number of the gRPC code: ${codes.join(", ")}.` },
    message: { type: "string", description: "The error in English, for developers." },
    details: {
      type: "array",
      items: {
        anyOf: [
          typed(
            "ErrorInfo",
            {
              reason: {
                type: "string",
                pattern: "^[A-Z][A-Z0-9_]+$",
                description: `Stable name of the error. More can be added; so far: ${Object.keys(REASONS).join(", ")}.`,
              },
              domain: { const: "signet" },
              metadata: { type: "object", additionalProperties: { type: "string" } },
            },
            ["reason", "domain"],
          ),
          typed(
            "BadRequest",
            {
              fieldViolations: {
                type: "array",
                items: {
                  type: "object",
                  properties: {
                    field: { type: "string", description: "JSON path, such as `profile.firstName`." },
                    description: { type: "string" },
                  },
                  required: ["description"],
                },
              },
            },
            ["fieldViolations"],
          ),
          typed("RetryInfo", { retryDelay: { type: "string", pattern: "^[0-9]+(\\.[0-9]{1,9})?s$" } }, ["retryDelay"]),
        ],
      },
    },
  },
  required: ["code", "message", "details"],
};

const ANY_ERROR: JsonObject = {
  description: "Any other error.",
  headers: Object.fromEntries(
    ["x-request-id", "retry-after", "allow"].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
};
