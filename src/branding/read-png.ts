import { crc32 } from "node:zlib";

/** Pixels. Browsers need 4 bytes for each, whatever the size of the file. */
const LONGEST_SIDE = 2_000;

/** Encoders write chunks of 4 KB or more. A file of the largest size with 42,000 empty ones took 75 ms to read. */
const MAX_CHUNKS = 2_000;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The chunks that are kept (PNG, third edition, section 11): those that decide how the image looks. Others can contain
 * the place of a photo, comments, a second file, or an animation.
 */
const KEPT: ReadonlySet<string> = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP"]);

type Png = { readonly data: Buffer } | { readonly problem: string };

/**
 * Reads a PNG file by its content: signature, size, and every chunk with its checksum. Returns it without chunks that
 * do not change how it looks, or what is wrong with it, as the end of a sentence about it.
 */
export function readPng(file: Uint8Array): Png {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    return { problem: "must be a PNG or SVG file" };
  }
  const chunks = readChunks(bytes);
  if (chunks !== undefined && chunks.length > MAX_CHUNKS) {
    return { problem: `must have at most ${MAX_CHUNKS} chunks` };
  }
  const [first] = chunks ?? [];
  if (chunks === undefined || first?.type !== "IHDR" || first.bytes.length !== HEADER_LENGTH) return DAMAGED;
  if (chunks.at(-1)?.type !== "IEND" || !chunks.some(({ type }) => type === "IDAT")) return DAMAGED;
  const [width, height] = [first.bytes.readUInt32BE(8), first.bytes.readUInt32BE(12)];
  if (width === 0 || height === 0) return DAMAGED;
  if (width > LONGEST_SIDE || height > LONGEST_SIDE) {
    return { problem: `must be at most ${LONGEST_SIDE} pixels wide and high, is ${width} × ${height}` };
  }
  const kept = chunks.filter(({ type }) => KEPT.has(type)).map((chunk) => chunk.bytes);
  return { data: Buffer.concat([SIGNATURE, ...kept]) };
}

const DAMAGED: Png = { problem: "is a damaged PNG file" };

/** Length, type and checksum of a chunk. */
const FRAME_LENGTH = 12;

/** The length of the chunk IHDR. */
const HEADER_LENGTH = FRAME_LENGTH + 13;

/**
 * The chunks up to IEND, or one more than are allowed; undefined if one is damaged, or if there is none. What follows IEND
 * is dropped.
 */
function readChunks(bytes: Buffer): { readonly type: string; readonly bytes: Buffer }[] | undefined {
  const chunks = [];
  let at = SIGNATURE.length;
  while (at + FRAME_LENGTH <= bytes.length) {
    const end = at + FRAME_LENGTH + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    const type = bytes.toString("latin1", at + 4, at + 8);
    chunks.push({ type, bytes: bytes.subarray(at, end) });
    if (type === "IEND" || chunks.length > MAX_CHUNKS) return chunks;
    at = end;
  }
  return undefined;
}
