import { invalidArgument, SignetError } from "../../errors.ts";

/**
 * The length in bytes of the prefix of each gRPC and gRPC-Web message: flags and length (grpc/doc/PROTOCOL-HTTP2.md,
 * Length-Prefixed-Message).
 */
export const MESSAGE_PREFIX_BYTES = 5;
export const COMPRESSED = 0x01;

interface Frame {
  readonly flags: number;
  readonly payload: Buffer;
}

/**
 * Reads the single frame of a unary call.
 *
 * @throws SignetError INVALID_ARGUMENT for a body that is not a sequence of frames; MESSAGE_COUNT ("request cardinality
 *   violation", grpc/doc/statuscodes.md) for any other number of frames.
 */
export function readOnlyFrame(bytes: Buffer): Frame {
  let only: Frame | undefined;
  let count = 0;
  // Checks all frames, because a malformed one takes precedence over the count, but creates no objects: 200,000 frames
  // fit into a MiB.
  for (let at = 0; at < bytes.length; count += 1) {
    const start = at + MESSAGE_PREFIX_BYTES;
    const end = start > bytes.length ? Number.POSITIVE_INFINITY : start + bytes.readUInt32BE(at + 1);
    if (end > bytes.length) throw malformed("the body ends in the middle of a frame");
    const flags = bytes.readUInt8(at);
    // The other flags are reserved: ignoring them would misread future frames.
    if (flags > COMPRESSED) throw malformed("the flags of a frame must be 0 or 1");
    only ??= { flags, payload: bytes.subarray(start, end) };
    at = end;
  }
  if (only === undefined) throw messageCount("has no message");
  if (count > 1) throw messageCount("has more than one message");
  return only;
}

/** Wraps a message in a frame. */
export function toFrame(flags: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(MESSAGE_PREFIX_BYTES + payload.length);
  frame[0] = flags;
  frame.writeUInt32BE(payload.length, 1);
  frame.set(payload, MESSAGE_PREFIX_BYTES);
  return frame;
}

function messageCount(problem: string): SignetError {
  return new SignetError("MESSAGE_COUNT", `the body of a unary call ${problem}`);
}

function malformed(description: string): SignetError {
  return invalidArgument({ field: "", description });
}
