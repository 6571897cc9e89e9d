import { readFileSync } from "node:fs";
import type { JsonObject } from "@bufbuild/protobuf";
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

export interface OpenApiOperation {
  readonly operationId: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly { readonly token: readonly string[] }[];
  readonly parameters?: readonly { name?: string; in?: string; schema?: JsonObject; example?: unknown }[];
  readonly requestBody?: { readonly content: Record<string, { schema: JsonObject; example: JsonObject }> };
  readonly responses: Record<string, OpenApiResponse>;
}

export interface OpenApiResponse {
  readonly $ref?: string;
  readonly content: Record<string, { schema: JsonObject; example?: unknown; examples?: Record<string, unknown> }>;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, OpenApiOperation>>;
  readonly components: {
    readonly schemas: Record<string, JsonObject>;
    readonly examples: Record<string, { value: unknown }>;
  };
}

export const readOpenApi = (): OpenApiDocument => JSON.parse(readFileSync("gen/openapi.json", "utf8"));

/** Every operation with its path and HTTP method. */
export const operationsOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Compiles schemas of the document. Each also rejects unknown fields, which clients must accept. */
export function createCompile(document: OpenApiDocument): (schema: JsonObject) => ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false });
  formats.default(ajv);
  ajv.addFormat("uint64", (text: string) => BigInt(text) < 2n ** 64n);
  ajv.addFormat("idn-email", /^[^@]+@[^@]+$/);
  const closed = (schema: object): AnySchemaObject =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"openapi.json#/$defs/'), (_, value) =>
      value?.type === "object" && value.properties ? { additionalProperties: false, ...value } : value,
    );
  ajv.addSchema({ $id: "openapi.json", $defs: closed(document.components.schemas) });
  return (schema) => ajv.compile(closed(schema));
}
