import { type DescField, type DescMessage, fromBinary, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { invalidArgument, SignetError } from "../errors.ts";
import { MAX_DEPTH, MAX_VALUES, nestedTooDeep, tooManyValues } from "./body-limits.ts";

/**
 * Reads a message from its binary form. Does not support maps, because no request has any.
 *
 * @throws SignetError INVALID_ARGUMENT for malformed bytes, and for a body that exceeds `MAX_VALUES` or `MAX_DEPTH`.
 */
export function readBinary<T extends DescMessage>(desc: T, bytes: Uint8Array): MessageShape<T> {
  try {
    // A value takes at least one byte.
    if (bytes.length > MAX_VALUES) countValues(desc, bytes);
    return fromBinary(desc, bytes, { recursionLimit: MAX_DEPTH });
  } catch (error) {
    if (error instanceof SignetError) throw error;
    const reason = error instanceof Error ? error.message : "malformed";
    throw invalidArgument({ field: "", description: `is not a valid ${desc.typeName} message: ${reason}` });
  }
}

/**
 * Throws at the first value over the limit, before `fromBinary` creates an object for each value. Parses the bytes
 * exactly like `fromBinary`, which reads a known field by its declared type and ignores its wire type.
 */
function countValues(desc: DescMessage, bytes: Uint8Array): void {
  const reader = new BinaryReader(bytes);
  /** Items of the lists of the outermost message. */
  const items = new Map<DescField, number>();
  let count = 0;
  countMessage(desc, bytes.length, 1);

  function countMessage(message: DescMessage, end: number, depth: number): void {
    if (depth > MAX_DEPTH) throw nestedTooDeep();
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      const field = message.fields.find((each) => each.number === number);
      if (!field) {
        countOne();
        skipUnknown(wireType, number, depth);
      } else if (field.fieldKind === "list" && wireType === WireType.LengthDelimited && isPackable(field)) {
        const listEnd = reader.uint32() + reader.pos;
        while (reader.pos < listEnd) skipItem(field, depth);
      } else {
        skipItem(field, depth);
      }
    }
  }

  function skipItem(field: DescField, depth: number): void {
    if (field.fieldKind === "list" && depth === 1) items.set(field, (items.get(field) ?? 0) + 1);
    countOne();
    if (field.message) {
      const length = reader.uint32();
      countMessage(field.message, reader.pos + length, depth + 1);
    } else {
      reader.skip(wireTypeOf(field));
    }
  }

  /** Groups are counted field by field, because `BinaryReader.skip` has no limit for them. */
  function skipUnknown(wireType: WireType, number: number, depth: number): void {
    if (wireType !== WireType.StartGroup) {
      reader.skip(wireType);
      return;
    }
    if (depth > MAX_DEPTH) throw nestedTooDeep();
    for (;;) {
      const [inner, innerType] = reader.tag();
      if (innerType === WireType.EndGroup) {
        if (inner !== number) throw new Error("invalid end group tag");
        return;
      }
      countOne();
      skipUnknown(innerType, inner, depth + 1);
    }
  }

  function countOne(): void {
    count += 1;
    if (count > MAX_VALUES) throw tooManyValues(items);
  }
}

/**
 * Whether the items of a list may share one length-delimited field (protobuf.dev/programming-guides/encoding,
 * "Packed").
 */
function isPackable(field: DescField): boolean {
  return !field.message && wireTypeOf(field) !== WireType.LengthDelimited;
}

/** The wire type of a scalar or an enum, or of the items of a list of them. */
function wireTypeOf({ scalar }: DescField): WireType {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}
