import type { CoseKey } from "./is-usable-key.ts";

/**
 * Decodes a COSE key (RFC 9052, section 7) of which every value is an integer or a byte string, as in the keys of
 * passkeys. Requires the encoding that WebAuthn, section 6.5.6, prescribes: definite lengths, in the shortest form.
 *
 * @returns Undefined for anything else.
 */
export function decodeCoseKey(bytes: Uint8Array): CoseKey | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  try {
    const { type, argument: size } = readHead();
    if (type !== MAP) return undefined;
    const key = new Map<number, unknown>();
    for (let n = 0; n < size; n++) {
      const label = readValue();
      if (typeof label !== "number" || key.has(label)) return undefined;
      key.set(label, readValue());
    }
    return at === buffer.length ? key : undefined;
  } catch {
    // The data ends too early, or contains another type.
    return undefined;
  }

  /** RFC 8949, section 3. */
  function readHead(): { type: number; argument: number } {
    const initial = buffer.readUInt8(at++);
    const [type, short] = [initial >> 5, initial & 31];
    if (short < 24) return { type, argument: short };
    if (short > 25) throw new RangeError("the argument is longer than any in a key");
    const argument = short === 24 ? buffer.readUInt8(at) : buffer.readUInt16BE(at);
    at += short - 23;
    if (argument < (short === 24 ? 24 : 256)) throw new RangeError("the argument has a shorter form");
    return { type, argument };
  }

  function readValue(): number | Buffer {
    const { type, argument } = readHead();
    if (type === UNSIGNED) return argument;
    if (type === NEGATIVE) return -1 - argument;
    if (type !== BYTES || argument > buffer.length - at) throw new RangeError("the value has another type");
    at += argument;
    return buffer.subarray(at - argument, at);
  }
}

/** Major types (RFC 8949, section 3.1). */
const [UNSIGNED, NEGATIVE, BYTES, MAP] = [0, 1, 2, 5] as const;
