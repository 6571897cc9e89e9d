import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { invalidArgument, SignetError } from "../../errors.ts";
import { hasErrorCode } from "../../files.ts";
import { COMPRESSED, FRAME_HEADER_BYTES, readOnlyFrame, toFrame } from "../grpc/frames.ts";
import { parseJson } from "../json/json-syntax.ts";
import { readMessage } from "../json/read-message.ts";
import { readBinary } from "../read-binary.ts";
import { callerGone, type Request } from "./http-exchange.ts";

/**
 * All bytes of a body, of which a frame of gRPC adds five to those that are counted. What is not wanted any more is read
 * and thrown away, so that the connection can go on to its next request.
 *
 * @throws SignetError BODY_TOO_LARGE beyond the limit, or the signal's reason when it is aborted first.
 */
export function readBody(
  body: Request,
  { maxBytes, framed }: { maxBytes: number; framed: boolean },
  signal: AbortSignal,
): Promise<Buffer> {
  const limit = framed ? maxBytes + FRAME_HEADER_BYTES : maxBytes;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) settle(() => reject(tooLarge(maxBytes)));
    else chunks.push(chunk);
  };
  const onEnd = () =>
    settle(() => {
      // A stream of HTTP/2 that was reset ends like any other: what came of it may be a message, but not the one meant.
      if (body.aborted) reject(callerGone());
      else resolve(Buffer.concat(chunks, size));
    });
  const onError = (error: Error) => settle(() => reject(error));
  const onAbort = () => settle(() => reject(signal.reason));
  const settle = (act: () => void) => {
    body.off("data", onData).off("end", onEnd);
    signal.removeEventListener("abort", onAbort);
    body.resume();
    act();
  };
  // Stays for good: an error after this function has settled would otherwise end the process.
  body.on("error", onError);
  if (signal.aborted) onAbort();
  else if (body.readableEnded) onEnd();
  else {
    signal.addEventListener("abort", onAbort, { once: true });
    body.on("data", onData).on("end", onEnd);
  }
  return promise;
}

/** How the bytes of a body hold the message. */
export interface Encoding {
  /** Whether the message is in a frame of gRPC, after five bytes. */
  readonly framed: boolean;
  readonly json: boolean;
  /** `grpc-encoding`, which applies to frames with the compressed flag, or `content-encoding`, which applies to the body. */
  readonly compression: string;
}

/** The compressions that the service supports. They run in Node's thread pool. */
const DECOMPRESS = { gzip: promisify(gunzip), br: promisify(brotliDecompress) };

/** Each chunk takes a turn of the event loop: a MiB takes 1 ms of it with chunks of this size, 2.5 ms with the default. */
const CHUNK_BYTES = 65_536;

/** Their names, as `grpc-accept-encoding` lists them. */
export const COMPRESSIONS = Object.keys(DECOMPRESS).join(",");

export function canDecompress(compression: string): compression is keyof typeof DECOMPRESS {
  return Object.hasOwn(DECOMPRESS, compression);
}

/**
 * Decompresses a body and checks that it holds a message of the method, so that the error for one that does not names the
 * first problem. Returns a body with an unknown or missing compression unchanged: the protocol's handler refuses it.
 *
 * @throws SignetError INVALID_ARGUMENT, MESSAGE_COUNT, BODY_TOO_LARGE; ConnectError where gRPC fixes the code (grpc/doc/statuscodes.md).
 */
export async function checkBody(
  bytes: Buffer,
  method: DescMethod,
  { framed, json, compression }: Encoding,
  maxBytes: number,
): Promise<Buffer> {
  const flags = compression === "identity" ? 0 : COMPRESSED;
  const frame = framed ? readOnlyFrame(bytes) : { flags, payload: bytes };
  const isCompressed = frame.flags === COMPRESSED;
  if (isCompressed && !canDecompress(compression)) return bytes;
  const message = isCompressed ? await decompress(frame.payload, compression, framed, maxBytes) : frame.payload;
  if (json) readMessage(method.input, parseJson(message, method.input));
  else readBinary(method.input, message);
  return framed ? toFrame(0, message) : message;
}

async function decompress(bytes: Buffer, compression: string, framed: boolean, maxBytes: number): Promise<Buffer> {
  if (!canDecompress(compression) || bytes.length === 0) return bytes;
  try {
    return await DECOMPRESS[compression](bytes, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES });
  } catch (error) {
    if (hasErrorCode(error, "ERR_BUFFER_TOO_LARGE")) throw tooLarge(maxBytes);
    const description = `the body is not valid ${compression}`;
    // "Could not decompress, but compression algorithm supported (Client -> Server)": INTERNAL.
    throw framed ? new ConnectError(description, Code.Internal) : invalidArgument({ field: "", description });
  }
}

function tooLarge(maxBytes: number): SignetError {
  return new SignetError("BODY_TOO_LARGE", `the body has more than ${maxBytes} bytes`);
}
