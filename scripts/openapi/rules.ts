import { type DescEnum, type DescField, type DescOneof, getOption, type JsonObject } from "@bufbuild/protobuf";
import {
  type FieldRules,
  field as fieldRules,
  Ignore,
  oneof as oneofRules,
  type StringRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { FieldBehavior, field_behavior } from "../../gen/google/api/field_behavior_pb.js";
import { codeRuleOf } from "./code-rules.ts";

/** The protovalidate rules of a field. */
export function rulesOf(field: DescField): FieldRules {
  return getOption(field, fieldRules);
}

/** Whether a request without the field, or with an empty one, violates a rule. */
export function isRequired(field: DescField): boolean {
  const { required, ignore, type } = rulesOf(field);
  if (codeRuleOf(field).isRequired) return true;
  if (getOption(field, field_behavior).includes(FieldBehavior.REQUIRED)) return true;
  if (ignore !== Ignore.UNSPECIFIED) return false;
  if (required) return true;
  if (field.presence !== IMPLICIT) return false;
  if (type.case === "string") return type.value.minLen > 0n || type.value.len > 0n;
  return type.case === "repeated" && type.value.minItems > 0n;
}

/** `FeatureSet.FieldPresence.IMPLICIT`: an absent field equals its zero value. */
const IMPLICIT = 2;

export function isRequiredOneof(oneof: DescOneof): boolean {
  return getOption(oneof, oneofRules).required;
}

/** The rules of a value as keywords of JSON Schema 2020-12. Rules that it cannot express are in the description. */
export function toKeywords(rules: FieldRules | undefined, enumeration?: DescEnum): JsonObject {
  const type = rules?.type;
  switch (type?.case) {
    case "string":
      return { ...stringKeywords(type.value), ...(rules?.required && { minLength: 1 }) };
    case "bool":
      return given(type.value, "const") ? { const: type.value.const } : {};
    case "enum": {
      const nameOf = (number: number) => enumeration?.value[number]?.name ?? number;
      const { in: allowed, notIn } = type.value;
      return {
        ...(given(type.value, "const") && { const: nameOf(type.value.const) }),
        ...(allowed.length > 0 && { enum: allowed.map(nameOf) }),
        ...(notIn.length > 0 && { not: { enum: notIn.map(nameOf) } }),
      };
    }
    case "int32":
    case "uint32":
    case "sint32":
    case "fixed32":
    case "sfixed32":
    case "float":
    case "double": {
      const { lessThan, greaterThan, in: allowed, notIn } = type.value;
      return {
        ...(given(type.value, "const") && { const: type.value.const }),
        ...(lessThan.case && { [lessThan.case === "lt" ? "exclusiveMaximum" : "maximum"]: lessThan.value }),
        ...(greaterThan.case && { [greaterThan.case === "gt" ? "exclusiveMinimum" : "minimum"]: greaterThan.value }),
        ...(allowed.length > 0 && { enum: allowed }),
        ...(notIn.length > 0 && { not: { enum: notIn } }),
      };
    }
    case "repeated": {
      const { minItems, maxItems, unique } = type.value;
      return {
        ...(minItems > 0n && { minItems: Number(minItems) }),
        ...(given(type.value, "maxItems") && { maxItems: Number(maxItems) }),
        ...(unique && { uniqueItems: true }),
      };
    }
    case "map": {
      const { minPairs, maxPairs } = type.value;
      return {
        ...(minPairs > 0n && { minProperties: Number(minPairs) }),
        ...(given(type.value, "maxPairs") && { maxProperties: Number(maxPairs) }),
      };
    }
    default:
      return {};
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "email",
  hostname: "hostname",
  ipv4: "ipv4",
  ipv6: "ipv6",
  uri: "uri",
  uriRef: "uri-reference",
  uuid: "uuid",
};

/** Lengths of strings: protovalidate and JSON Schema both count code points. */
function stringKeywords(rules: StringRules): JsonObject {
  const { len, minLen, maxLen, prefix, suffix, contains, in: allowed, notIn } = rules;
  const patterns = [
    ...(rules.pattern ? [rules.pattern] : []),
    ...(prefix ? [`^${quote(prefix)}`] : []),
    ...(suffix ? [`${quote(suffix)}$`] : []),
    ...(contains ? [quote(contains)] : []),
  ];
  const format = rules.wellKnown.value === true ? FORMATS[rules.wellKnown.case ?? ""] : undefined;
  return {
    ...(given(rules, "const") && { const: rules.const }),
    ...(minLen > 0n && { minLength: Number(minLen) }),
    ...(given(rules, "maxLen") && { maxLength: Number(maxLen) }),
    ...(given(rules, "len") && { minLength: Number(len), maxLength: Number(len) }),
    ...(patterns.length === 1 && { pattern: patterns[0] ?? "" }),
    ...(patterns.length > 1 && { allOf: patterns.map((pattern) => ({ pattern })) }),
    ...(allowed.length > 0 && { enum: allowed }),
    ...(notIn.length > 0 && { not: { enum: notIn } }),
    ...(format && { format }),
  };
}

/**
 * Whether a rule is set. protovalidate's messages are proto2: fields that are not set are inherited from a prototype.
 */
function given(rules: object, name: string): boolean {
  return Object.hasOwn(rules, name);
}

function quote(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
