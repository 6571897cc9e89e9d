import { FrameFlag, FrameType, PREFACE } from "../../src/http/guard/frames.ts";
import { CODE_LENGTHS } from "../../src/http/guard/huffman.ts";

/** RFC 9113, section 4.1. */
export function frame(type: number, flags: number, streamId: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** A whole request without a body, or the start of one if given `flags`. */
export function headers(
  streamId: number,
  block: Buffer,
  flags: number = FrameFlag.endHeaders | FrameFlag.endStream,
): Buffer {
  return frame(FrameType.headers, flags, streamId, block);
}

/** The start of a client's connection: the preface and empty SETTINGS. */
export const HELLO = Buffer.concat([PREFACE, frame(FrameType.settings, 0, 0)]);

/** RFC 7541, section 5.1. */
export function integer(pattern: number, mask: number, value: number): Buffer {
  if (value < mask) return Buffer.of(pattern | value);
  const bytes = [pattern | mask];
  let rest = value - mask;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** A string of one byte per character (RFC 7541, section 5.2). */
export function text(value: string, huffman = false): Buffer {
  const bytes = huffman ? encodeHuffman(value) : Buffer.from(value, "latin1");
  return Buffer.concat([integer(huffman ? 0x80 : 0, 0x7f, bytes.length), bytes]);
}

export type Indexing = "incremental" | "without" | "never";

/** A literal field (RFC 7541, section 6.2), whose name is a string or an index. */
export function literal(
  name: string | number,
  value: string,
  { indexing = "without", huffman = false }: { indexing?: Indexing; huffman?: boolean } = {},
): Buffer {
  const [pattern, mask] = { incremental: [0x40, 0x3f], without: [0, 0x0f], never: [0x10, 0x0f] }[indexing] as [
    number,
    number,
  ];
  const index = integer(pattern, mask, typeof name === "number" ? name : 0);
  return Buffer.concat([index, ...(typeof name === "number" ? [] : [text(name, huffman)]), text(value, huffman)]);
}

/** A field by its index (RFC 7541, section 6.1). */
export function indexed(index: number): Buffer {
  return integer(0x80, 0x7f, index);
}

/** `GET http /` and the authority, then the given fields. */
export function request(...fields: Buffer[]): Buffer {
  return Buffer.concat([indexed(2), indexed(6), indexed(4), literal(1, "localhost"), ...fields]);
}

export function encodeHuffman(value: string): Buffer {
  let bits = "";
  for (const byte of Buffer.from(value, "latin1")) bits += CODES[byte];
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, "1");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Canonical codes, as text of bits. */
const CODES: string[] = [];
{
  let code = 0;
  let previous = 0;
  const symbols = CODE_LENGTHS.map((length, symbol) => ({ length, symbol })).sort((a, b) => a.length - b.length);
  for (const { length, symbol } of symbols) {
    code *= 2 ** (length - previous);
    previous = length;
    CODES[symbol] = code.toString(2).padStart(length, "0");
    code += 1;
  }
}
