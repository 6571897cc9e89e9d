import type { DescMethod } from "@bufbuild/protobuf";
import { invalidArgument, SignetError } from "../errors.ts";
import { orAborted } from "./abortable.ts";
import { readBinary, readMessage } from "./json-problem.ts";
import { parseJson } from "./json-syntax.ts";

/**
 * All bytes of a body.
 *
 * @throws SignetError BODY_TOO_LARGE beyond the limit, or the signal's reason when it is aborted first.
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const iterator = body[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await orAborted(signal, iterator.next());
    if (done) return Buffer.concat(chunks, size);
    size += value.length;
    if (size > maxBytes) {
      throw new SignetError("BODY_TOO_LARGE", `the body has more than ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
}

/** How the bytes of a body hold the message. */
export interface Encoding {
  /** Whether the message is in a frame of gRPC, behind five bytes. */
  readonly framed: boolean;
  readonly json: boolean;
  /** Whether the body as a whole is compressed. */
  readonly compressed: boolean;
}

const FRAME_HEADER_BYTES = 5;

/**
 * Checks that a body holds a message of the method, so that one that does not parse is refused with the first problem
 * named. Bodies that are compressed, and frames that break the protocol itself, are left to the protocol's handler.
 *
 * @throws SignetError INVALID_ARGUMENT, BODY_TOO_LARGE.
 */
export function checkBody(bytes: Buffer, method: DescMethod, encoding: Encoding, maxBytes: number): void {
  if (encoding.compressed) return;
  const payload = encoding.framed ? readFrame(bytes, maxBytes) : bytes;
  if (payload === undefined) return;
  if (encoding.json) readMessage(method.input, parseJson(payload));
  else readBinary(method.input, payload);
}

/** The message in a body that has exactly one frame, uncompressed. */
function readFrame(bytes: Buffer, maxBytes: number): Buffer | undefined {
  if (bytes.length === 0) return undefined;
  const length = bytes.length < FRAME_HEADER_BYTES ? undefined : bytes.readUInt32BE(1);
  if (length !== undefined && length > maxBytes) {
    throw new SignetError("BODY_TOO_LARGE", `the message has ${length} bytes, more than ${maxBytes}`);
  }
  if (length === undefined || bytes.length < FRAME_HEADER_BYTES + length) {
    throw invalidArgument({ field: "", description: "the body ends in the middle of a frame" });
  }
  const isPlain = bytes[0] === 0 && bytes.length === FRAME_HEADER_BYTES + length;
  return isPlain ? bytes.subarray(FRAME_HEADER_BYTES) : undefined;
}
