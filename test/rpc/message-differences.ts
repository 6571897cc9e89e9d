import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";

/**
 * Compares a message with the published one of the same call, with all messages and enums inside, and returns what
 * differs: numbers, names, types, labels, values. A published field must exist or have its number reserved.
 *
 * Fields and values from number 100 on are Signet's own. They may not be published with another meaning.
 */
export function findDifferences(own: DescMessage, published: DescMessage): string[] {
  const compared = new Set<string>();
  const found = new Set<string>();
  compareMessages(own, published);
  return [...found];

  function compareMessages(ours: DescMessage, theirs: DescMessage): void {
    const pair = `${ours} ${theirs}`;
    if (compared.has(pair)) return;
    compared.add(pair);
    for (const field of ours.fields) compareFields(field, theirs);
    for (const { number, name } of theirs.fields) {
      if (!hasNumber(ours.fields, number) && !isReserved(ours, number)) {
        found.add(`${ours.typeName} lacks ${number} ${name}`);
      }
    }
  }

  function compareFields(field: DescField, theirs: DescMessage): void {
    const other = theirs.fields.find(({ number }) => number === field.number);
    const [ours, published] = [describe(field), other && describe(other)];
    const isOwn = field.number >= FIRST_OWN && other === undefined;
    if (ours !== published && !isOwn) found.add(`${field.parent.typeName}: ${ours}, published: ${published ?? "none"}`);
    if (field.message && other?.message) compareMessages(field.message, other.message);
    if (field.enum && other?.enum) compareEnums(field.enum, other.enum);
  }

  function compareEnums(ours: DescEnum, theirs: DescEnum): void {
    for (const { number, name } of ours.values) {
      const other = theirs.values.find((value) => value.number === number);
      if (other?.name !== name && !(number >= FIRST_OWN && other === undefined)) {
        found.add(`${ours.typeName}: ${number} ${name}, published: ${other?.name ?? "none"}`);
      }
    }
    for (const { number, name } of theirs.values) {
      if (!hasNumber(ours.values, number)) found.add(`${ours.typeName} lacks ${number} ${name}`);
    }
  }
}

/** The JSON paths of the fields of a published request, at any depth, that Signet does not have. */
export function findIgnored(own: DescMessage, published: DescMessage, compared = new Set<DescMessage>()): string[] {
  if (compared.has(own)) return [];
  compared.add(own);
  return published.fields.flatMap(({ number, jsonName, message }) => {
    const field = own.fields.find((each) => each.number === number);
    if (field === undefined) return jsonName;
    if (field.message === undefined || message === undefined) return [];
    return findIgnored(field.message, message, compared).map((path) => `${jsonName}.${path}`);
  });
}

const FIRST_OWN = 100;

/** Number, label, type, name and oneof of a field. Names of messages and enums differ, and are not part of the wire. */
function describe(field: DescField): string {
  const { number, name, scalar, message, oneof, proto } = field;
  const label = field.fieldKind === "list" ? "repeated " : proto.proto3Optional ? "optional " : "";
  const isWellKnown = message?.typeName.startsWith("google.protobuf.");
  const type =
    scalar !== undefined ? ScalarType[scalar].toLowerCase() : isWellKnown ? message?.typeName : typeOf(field);
  return `${number} ${label}${type} ${name}${oneof ? ` of ${oneof.name}` : ""}`;
}

function typeOf({ enum: values, message }: DescField): string {
  return values ? "enum" : message ? "message" : "other";
}

function hasNumber(all: readonly { readonly number: number }[], number: number): boolean {
  return all.some((each) => each.number === number);
}

function isReserved({ proto }: DescMessage, number: number): boolean {
  return proto.reservedRange.some(({ start, end }) => number >= start && number < end);
}
