/** Handwritten HTTP/2 frames (RFC 9113, section 6), valid or not. */

/** RFC 9113, section 3.4. */
export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

export const FRAME = {
  data: 0x0,
  headers: 0x1,
  priority: 0x2,
  resetStream: 0x3,
  settings: 0x4,
  ping: 0x6,
  goAway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
} as const;

export const FLAG = { ack: 0x1, endStream: 0x1, endHeaders: 0x4 } as const;

export const ERROR_CODE = { noError: 0x0, cancel: 0x8 } as const;

/** Identifiers of RFC 9113, section 6.5.2. */
export const SETTING = { headerTableSize: 0x1, initialWindowSize: 0x4 } as const;

/** The largest stream id and the largest window size. */
export const MAX_31_BITS = 2 ** 31 - 1;

export type Field = readonly [name: string, value: string];

const EMPTY = Buffer.alloc(0);

/** Any frame. The payload is not checked against the type. */
export function frame(type: number, flags: number, streamId: number, payload: Uint8Array = EMPTY): Buffer {
  const bytes = Buffer.allocUnsafe(9 + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(streamId, 5);
  bytes.set(payload, 9);
  return bytes;
}

export function settings(values: readonly (readonly [id: number, value: number])[] = []): Buffer {
  const payload = Buffer.allocUnsafe(6 * values.length);
  values.forEach(([id, value], index) => {
    payload.writeUInt16BE(id, 6 * index);
    payload.writeUInt32BE(value, 6 * index + 2);
  });
  return frame(FRAME.settings, 0, 0, payload);
}

/** The start of a client's connection. */
export const HELLO = Buffer.concat([PREFACE, settings()]);

export const SETTINGS_ACK = frame(FRAME.settings, FLAG.ack, 0);

/** A whole header block in one frame. */
export function headers(streamId: number, block: Uint8Array, { endStream }: { endStream: boolean }): Buffer {
  return frame(FRAME.headers, FLAG.endHeaders | (endStream ? FLAG.endStream : 0), streamId, block);
}

export function data(streamId: number, bytes: Uint8Array, { endStream }: { endStream: boolean }): Buffer {
  return frame(FRAME.data, endStream ? FLAG.endStream : 0, streamId, bytes);
}

export function resetStream(streamId: number, code: number): Buffer {
  return frame(FRAME.resetStream, 0, streamId, uint32(code));
}

/** @param increment 0 violates the protocol: the peer must reset the stream. */
export function windowUpdate(streamId: number, increment: number): Buffer {
  return frame(FRAME.windowUpdate, 0, streamId, uint32(increment));
}

export function ping(): Buffer {
  return frame(FRAME.ping, 0, 0, Buffer.alloc(8));
}

/** A header block of HPACK literals without indexing and without Huffman codes (RFC 7541, section 6.2.2). */
export function encodeFields(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.map((field) => encodeField(0x00, field)));
}

/** A literal that the peer adds to its dynamic table (RFC 7541, section 6.2.1). */
export function encodeIndexedField(field: Field): Buffer {
  return encodeField(0x40, field);
}

/** References to the newest entry of the dynamic table (RFC 7541, section 6.1). */
export function encodeReferences(count: number): Buffer {
  return Buffer.alloc(count, 0x80 | 62);
}

function encodeField(kind: number, [name, value]: Field): Buffer {
  return Buffer.concat([Buffer.of(kind), encodeText(name), encodeText(value)]);
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([encodeLength(bytes.length), bytes]);
}

/** An integer with a 7-bit prefix (RFC 7541, section 5.1). */
function encodeLength(length: number): Buffer {
  if (length < 127) return Buffer.of(length);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest >>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
