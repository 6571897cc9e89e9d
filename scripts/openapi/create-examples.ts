import { createPrivateKey } from "node:crypto";
import {
  type DescField,
  type DescMessage,
  type DescOneof,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { exampleValue } from "./code-rules.ts";
import { isRequired, isRequiredOneof, rulesOf } from "./rules.ts";

/** Examples of fields by name. A protovalidate `example` rule takes precedence. */
const BY_NAME: Readonly<Record<string, JsonValue>> = {
  user_name: "ada",
  first_name: "Ada",
  last_name: "Lovelace",
  nick_name: "Countess",
  display_name: "Ada Lovelace",
  preferred_language: "en-GB",
  email: "ada@example.com",
  email_address: "ada@example.com",
  phone: "+41791234567",
  is_email_verified: true,
  password: "analytical engine no. 1",
  issuer: "https://accounts.example.com",
  scopes: ["openid", "email"],
  roles: ["ORG_VIEWER"],
  redirect_uris: ["https://app.example.com/callback"],
  client_id: "signet",
  allow_username_password: true,
  allow_external_idp: true,
  limit: 10,
  team_id: "ABCDE12345",
  key_id: "FGHIJ67890",
  authorization_endpoint: "https://git.example.com/login/oauth/authorize",
  token_endpoint: "https://git.example.com/login/oauth/access_token",
  user_endpoint: "https://git.example.com/api/v3/user",
  id_attribute: "id",
  language: "en",
  subject: "Activate your account",
  text: "An account was created for you.",
  button_text: "Activate account",
  metadata_url: "https://idp.example.com/saml/metadata",
  is_linking_allowed: true,
  is_creation_allowed: true,
};

/** Keys of RFC 7515, appendix A.3, as PEM. */
const EXAMPLE_KEY = createPrivateKey({
  format: "jwk",
  key: {
    kty: "EC",
    crv: "P-256",
    x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
  },
}).export({ format: "pem", type: "pkcs8" });

/** Examples of required fields that are not in a list, by name suffix. */
const BY_ENDING: readonly (readonly [RegExp, JsonValue])[] = [
  [/(^|_)(ids?|owner)$/, "01a20053-7411-7dd2-820d-13541da552a0"],
  [/(^|_)(uris?|urls?|link|origins?)$/, "https://app.example.com"],
  [/(^|_)name$/, "Example"],
  [/(^|_)secret$/, "n0t-a-real-secret"],
];

/** Examples of fields that occur only in responses. */
const IN_RESPONSES: Readonly<Record<string, JsonValue>> = {
  login_names: ["ada"],
  preferred_login_name: "ada",
  link: "https://id.example.com/ui/passkey?code=01a20053-7411-7dd2-820d-13541da552a0.c2VjcmV0LXNlY3JldC1zZQ",
};

/**
 * The example of a request's fields: required fields, and fields with a known example. An optional message is omitted
 * if one of its required fields has no known example.
 */
export function requestExample(desc: DescMessage, fields: readonly DescField[] = desc.fields): JsonObject {
  return exampleOf(fields, []) ?? {};

  function exampleOf(given: readonly DescField[], within: readonly DescMessage[]): JsonObject | undefined {
    const example: JsonObject = {};
    for (const field of given) {
      if (field.oneof && exampleField(field.oneof) !== field) continue;
      const value = known(field) ?? (field.message ? ofMessage(field, within) : undefined);
      if (value !== undefined) example[field.jsonName] = value;
      else if (isRequired(field) || (field.oneof && isRequiredOneof(field.oneof)))
        example[field.jsonName] = fallback(field);
    }
    return Object.keys(example).length > 0 ? example : undefined;
  }

  function ofMessage(field: DescField, within: readonly DescMessage[]): JsonValue | undefined {
    const { message } = field;
    if (message === undefined || within.includes(message) || message.typeName.startsWith("google.")) return undefined;
    const isComplete = message.fields.every(
      (inner) => !isRequired(inner) || inner.message || known(inner) !== undefined,
    );
    if (!isComplete && !isRequired(field)) return undefined;
    const value = exampleOf(message.fields, [...within, message]);
    return value && field.fieldKind === "list" ? [value] : value;
  }
}

/** The field of a oneof that its example has. */
function exampleField({ fields }: DescOneof): DescField | undefined {
  return fields.find(({ name }) => name === "metadata_url") ?? fields[0];
}

/** The example of a response: every field has a value. */
export function responseExample(desc: DescMessage, within: readonly DescMessage[] = []): JsonObject {
  const example: JsonObject = {};
  for (const field of desc.fields) {
    if (field.oneof && field.oneof.fields[0] !== field) continue;
    if (field.message && within.includes(field.message)) continue;
    const value =
      IN_RESPONSES[field.name] ?? known(field) ?? (field.message ? undefined : fallback(field)) ?? ofMessage(field);
    if (value !== undefined) example[field.jsonName] = value;
  }
  return example;

  function ofMessage(field: DescField): JsonValue | undefined {
    if (field.message === undefined) return undefined;
    const value = WELL_KNOWN[field.message.typeName] ?? responseExample(field.message, [...within, desc]);
    if (field.fieldKind === "map") return {};
    return field.fieldKind === "list" ? [value] : value;
  }
}

const WELL_KNOWN: Readonly<Record<string, JsonValue>> = {
  "google.protobuf.Timestamp": "2026-11-21T22:56:38.929Z",
  "google.protobuf.Duration": "3600s",
  "google.protobuf.Any": { "@type": "type.googleapis.com/google.protobuf.Empty" },
};

/** The example of a field that has a meaningful one. */
export function known(field: DescField): JsonValue | undefined {
  const rules = rulesOf(field);
  if (field.fieldKind === "list") {
    const item = rules.type.case === "repeated" ? ruleExample(rules.type.value.items) : undefined;
    if (item !== undefined) return [item];
  } else {
    const example = ruleExample(rules);
    if (example !== undefined) return example;
  }
  const example = field.message ? undefined : BY_NAME[field.name];
  return Array.isArray(example) === (field.fieldKind === "list") && isOfType(field, example) ? example : undefined;
}

function ruleExample(rules: FieldRules | undefined): JsonValue | undefined {
  const type = rules?.type;
  if (type === undefined || type.case === undefined || !("example" in type.value)) return undefined;
  const [example] = type.value.example;
  if (typeof example === "bigint") return String(example);
  return typeof example === "string" || typeof example === "number" || typeof example === "boolean"
    ? example
    : undefined;
}

function isOfType({ scalar }: DescField, example: JsonValue | undefined): boolean {
  const [value] = [example].flat();
  if (scalar === ScalarType.STRING) return typeof value === "string";
  if (scalar === ScalarType.BOOL) return typeof value === "boolean";
  return typeof value === "number" && (scalar === ScalarType.UINT32 || scalar === ScalarType.INT32);
}

/** An arbitrary value of a field's type, within its bounds. */
export function fallback(field: DescField): JsonValue {
  const value = ofType(field);
  if (field.fieldKind === "map") return {};
  return field.fieldKind === "list" ? [value] : value;
}

function ofType(field: DescField): JsonValue {
  if (field.enum) return exampleValue(field.enum);
  switch (field.scalar) {
    case undefined:
      return {};
    case ScalarType.STRING: {
      const [, example = "example"] = BY_ENDING.find(([ending]) => ending.test(field.name)) ?? [];
      return example;
    }
    case ScalarType.BOOL:
      return true;
    case ScalarType.BYTES:
      return Buffer.from(EXAMPLE_KEY).toString("base64");
    case ScalarType.UINT64:
    case ScalarType.INT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
    case ScalarType.SINT64:
      return "1";
    default:
      return 1;
  }
}
