/** RFC 9113, section 3.4: the first bytes of an HTTP/2 connection. */
export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1");

/** RFC 9113, section 4.1. */
export const FRAME_HEADER_BYTES = 9;

/** RFC 9113, section 6. */
export const FrameType = {
  data: 0x0,
  headers: 0x1,
  priority: 0x2,
  resetStream: 0x3,
  settings: 0x4,
  pushPromise: 0x5,
  ping: 0x6,
  goAway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
} as const;

/** RFC 9113, section 6. */
export const FrameFlag = { endStream: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** RFC 9113, section 7. */
export const Http2ErrorCode = {
  protocolError: 0x1,
  internalError: 0x2,
  frameSizeError: 0x6,
  compressionError: 0x9,
  enhanceYourCalm: 0xb,
} as const;

/** One GOAWAY frame (RFC 9113, section 6.8). `debugData` must fit into a frame; clients may print it. */
export function goAway(lastStreamId: number, code: number, debugData = ""): Buffer {
  const debug = Buffer.from(debugData, "utf8");
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + 8 + debug.length);
  frame.writeUIntBE(8 + debug.length, 0, 3);
  frame[3] = FrameType.goAway;
  frame.writeUInt32BE(lastStreamId, FRAME_HEADER_BYTES);
  frame.writeUInt32BE(code, FRAME_HEADER_BYTES + 4);
  debug.copy(frame, FRAME_HEADER_BYTES + 8);
  return frame;
}

/** The stream id of the frame that starts at `at`: 31 bits (RFC 9113, section 4.1). */
export function readStreamId(head: Uint8Array, at: number): number {
  return (
    (((head[at + 5] ?? 0) & 0x7f) << 24) |
    ((head[at + 6] ?? 0) << 16) |
    ((head[at + 7] ?? 0) << 8) |
    (head[at + 8] ?? 0)
  );
}

/**
 * The offset of the header block in the payload of a HEADERS frame (RFC 9113, section 6.2); -1 if the payload is too
 * short.
 */
export function fragmentStart(flags: number, payload: Uint8Array, at: number, end: number): number {
  const start = at + (flags & FrameFlag.padded ? 1 : 0) + (flags & FrameFlag.priority ? 5 : 0);
  return start > end || start + paddingBytes(flags, payload, at) > end ? -1 : start;
}

/** The number of bytes of padding after the header block in the payload of a HEADERS frame. */
export function paddingBytes(flags: number, payload: Uint8Array, at: number): number {
  return flags & FrameFlag.padded ? (payload[at] ?? 0) : 0;
}
