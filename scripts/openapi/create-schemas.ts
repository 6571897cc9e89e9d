import {
  type DescEnum,
  type DescField,
  type DescMessage,
  getOption,
  type JsonObject,
  ScalarType,
} from "@bufbuild/protobuf";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { FieldBehavior, field_behavior } from "../../gen/google/api/field_behavior_pb.js";
import { codeRuleOf, NEEDING_ONEOFS, nameInPackage, usedValues } from "./code-rules.ts";
import { descriptionOf, paragraphsOf } from "./comments.ts";
import { isRequired, isRequiredOneof, rulesOf, toKeywords } from "./rules.ts";
import { wellKnownSchema } from "./well-known.ts";

/** The JSON Schemas of messages and enums, each as a component that others refer to. */
export interface Schemas {
  /** A reference to the schema of a message or an enum, which becomes a component. */
  refer(desc: DescMessage | DescEnum): JsonObject;
  /** The schema of a request body: a message without the fields in the path. */
  referBody(desc: DescMessage, inPath: readonly string[]): JsonObject;
  /** The schema of a field's value. */
  ofField(field: DescField): JsonObject;
  /** All components so far, by name. */
  components(): Record<string, JsonObject>;
}

/**
 * @param requests Messages that are part of requests: the service rejects unknown fields in them. Clients must accept
 *   unknown fields in responses.
 */
export function createSchemas(requests: ReadonlySet<DescMessage>): Schemas {
  const components = new Map<string, JsonObject>();

  function addComponent(name: string, build: () => JsonObject): JsonObject {
    if (!components.has(name)) {
      components.set(name, {});
      components.set(name, build());
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  function refer(desc: DescMessage | DescEnum): JsonObject {
    return addComponent(nameInPackage(desc), () =>
      desc.kind === "enum" ? enumSchema(desc, requests) : messageSchema(desc, []),
    );
  }

  function messageSchema(desc: DescMessage, inPath: readonly string[]): JsonObject {
    const fields = desc.fields.filter(({ name }) => !inPath.includes(name));
    const isRequest = requests.has(desc);
    const required = isRequest ? fields.filter((field) => isRequired(field) && !field.oneof) : [];
    const description = descriptionOf(desc);
    return {
      type: "object",
      ...(description && { description }),
      properties: Object.fromEntries(fields.map((field) => [field.jsonName, ofField(field)])),
      ...(required.length > 0 && { required: required.map(({ jsonName }) => jsonName) }),
      ...(isRequest && oneofKeywords(desc)),
      ...(isRequest && { additionalProperties: false }),
    };
  }

  function ofField(field: DescField): JsonObject {
    const behavior = getOption(field, field_behavior);
    const description = descriptionOf(field);
    return {
      ...schemaOf(field),
      ...(description && { description }),
      ...(field.proto.options?.deprecated && { deprecated: true }),
      ...(behavior.includes(FieldBehavior.INPUT_ONLY) && { writeOnly: true }),
      ...(behavior.includes(FieldBehavior.OUTPUT_ONLY) && { readOnly: true }),
    };
  }

  function schemaOf(field: DescField): JsonObject {
    const rules = rulesOf(field);
    const { type } = rules;
    switch (field.fieldKind) {
      case "list": {
        const items = type.case === "repeated" ? type.value.items : undefined;
        const desc = field.message ?? field.enum;
        const item = { ...single(desc ?? field.scalar, items), ...codeRuleOf(field).keywords };
        return { type: "array", items: item, ...toKeywords(rules) };
      }
      case "map": {
        const values = type.case === "map" ? type.value.values : undefined;
        const desc = field.message ?? field.enum;
        return { type: "object", additionalProperties: single(desc ?? field.scalar, values), ...toKeywords(rules) };
      }
      default:
        return { ...single(field.message ?? field.enum ?? field.scalar, rules), ...codeRuleOf(field).keywords };
    }
  }

  function single(type: DescMessage | DescEnum | ScalarType | undefined, rules: FieldRules | undefined): JsonObject {
    if (type === undefined) throw new Error("a field has no type");
    if (typeof type === "number") return { ...scalarSchema(type), ...toKeywords(rules) };
    if (type.kind === "enum") return { ...refer(type), ...toKeywords(rules, type) };
    return wellKnownSchema(type) ?? refer(type);
  }

  return {
    refer,
    ofField,
    referBody(desc, inPath) {
      if (inPath.length === 0) return refer(desc);
      return addComponent(`${nameInPackage(desc)}Body`, () => messageSchema(desc, inPath));
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function enumSchema(desc: DescEnum, requests: ReadonlySet<DescMessage>): JsonObject {
  const used = usedValues(desc, requests);
  const values = used.map((value) => `- \`${value.name}\`: ${descriptionOf(value)}`);
  return {
    type: "string",
    description: [...paragraphsOf(desc), values.join("\n")].join("\n\n"),
    enum: used.map(({ name }) => name),
  };
}

/**
 * The constraint that at most one, or exactly one, field of each oneof is given. Only for requests: generators of clients
 * make empty types of responses with it.
 */
function oneofKeywords(desc: DescMessage): JsonObject {
  const { fields, oneofs } = desc;
  const [first] = oneofs;
  if (first !== undefined && oneofs.length === 1 && first.fields.length === fields.length) {
    const isNeeded = isRequiredOneof(first) || NEEDING_ONEOFS.has(nameInPackage(desc));
    return { ...(isNeeded && { minProperties: 1 }), maxProperties: 1 };
  }
  const rules = oneofs.map((oneof): JsonObject => {
    const choices: JsonObject[] = oneof.fields.map(({ jsonName }) => ({ required: [jsonName] }));
    const isNeeded = isRequiredOneof(oneof) || NEEDING_ONEOFS.has(nameInPackage(desc));
    if (!isNeeded) choices.push(withoutAny(oneof.fields.map(({ jsonName }) => jsonName)));
    // Linters reject a `oneOf` with a single schema.
    return choices.length === 1 ? (choices[0] ?? {}) : { oneOf: choices };
  });
  return rules.length === 0 ? {} : { allOf: rules };
}

/** Linters require that a schema with `required` defines the properties. */
function withoutAny(names: readonly string[]): JsonObject {
  const anyOf = names.map((name): JsonObject => ({ properties: { [name]: {} }, required: [name] }));
  return { not: { anyOf } };
}

/** The JSON form of scalars (the JSON mapping of proto3). */
function scalarSchema(type: ScalarType): JsonObject {
  switch (type) {
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64" };
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return { type: "number", format: type === ScalarType.FLOAT ? "float" : "double" };
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { type: "integer", minimum: 0, maximum: 2 ** 32 - 1 };
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return { type: "integer", format: "int32" };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { type: "string", format: "uint64", pattern: "^[0-9]{1,20}$" };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return { type: "string", format: "int64", pattern: "^-?[0-9]{1,19}$" };
  }
}

/** All messages that are part of the given messages, including the messages themselves. */
export function reachableFrom(messages: readonly DescMessage[]): Set<DescMessage> {
  const found = new Set<DescMessage>();
  const visit = (message: DescMessage) => {
    if (found.has(message)) return;
    found.add(message);
    for (const field of message.fields) if (field.message) visit(field.message);
  };
  messages.forEach(visit);
  return found;
}
