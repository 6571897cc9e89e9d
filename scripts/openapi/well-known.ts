import type { DescMessage, JsonObject } from "@bufbuild/protobuf";

/** The schema of a message with a special JSON form (the JSON mapping of proto3). Undefined for all others. */
export function wellKnownSchema({ typeName }: DescMessage): JsonObject | undefined {
  const schema = SCHEMAS[typeName];
  if (schema === undefined && typeName.startsWith("google.protobuf.")) throw new Error(`${typeName} is not supported`);
  return schema;
}

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  "google.protobuf.Timestamp": { type: "string", format: "date-time" },
  "google.protobuf.Duration": { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?s$" },
  // The names of fields, as `describeFieldMaskProblem` checks them.
  "google.protobuf.FieldMask": {
    type: "string",
    pattern: "^([A-Za-z0-9.*]+(,[A-Za-z0-9.*]+)*)?$",
    maxLength: 2550,
  },
  "google.protobuf.Empty": { type: "object", additionalProperties: false },
  "google.protobuf.Struct": { type: "object" },
  "google.protobuf.Value": {},
  "google.protobuf.ListValue": { type: "array" },
  "google.protobuf.StringValue": { type: "string" },
  "google.protobuf.BoolValue": { type: "boolean" },
  "google.protobuf.Any": { type: "object", properties: { "@type": { type: "string" } }, required: ["@type"] },
};
