import { type DescEnum, type DescMessage, type JsonObject, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import type { Random } from "../../support/random.ts";

/** Fields with deeper messages are left out, because a query can contain queries. */
const MAX_DEPTH = 4;

const WELL_KNOWN: Readonly<Record<string, JsonValue>> = {
  "google.protobuf.Duration": "3.500s",
  "google.protobuf.FieldMask": "firstName,lastName",
  "google.protobuf.Struct": { text: "a", list: [1, null, true], object: {} },
  "google.protobuf.Timestamp": "2026-11-21T00:00:00.500Z",
};

/** A message in ProtoJSON with a value in every field, and in one field of each oneof. */
export function fillMessage(desc: DescMessage, random: Random, depth = 0): JsonObject {
  const fields = desc.members.map((member) => (member.kind === "oneof" ? random.pick(member.fields) : member));
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (field.message !== undefined && depth === MAX_DEPTH) return [];
      const value = () => {
        if (field.message !== undefined) {
          return WELL_KNOWN[field.message.typeName] ?? fillMessage(field.message, random, depth + 1);
        }
        return field.enum === undefined ? toScalar(field.scalar, random) : toName(field.enum, random);
      };
      if (field.fieldKind === "list") return [[field.jsonName, [value(), value()]]];
      return [[field.jsonName, field.fieldKind === "map" ? { [random.text(5)]: value() } : value()]];
    }),
  );
}

function toName({ values }: DescEnum, random: Random): string {
  return random.pick(values).name;
}

function toScalar(scalar: ScalarType | undefined, random: Random): JsonValue {
  switch (scalar) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.BYTES:
      return Buffer.from(random.text(5)).toString("base64");
    case ScalarType.STRING:
      return `a${random.text(5)}`;
    default:
      return random.between(1, 1_000);
  }
}
