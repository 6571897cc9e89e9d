import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import type { DescMethod } from "@bufbuild/protobuf";
import { invalidArgument, SignetError } from "../../errors.ts";
import { hasErrorCode } from "../../files.ts";
import { COMPRESSED, readOnlyFrame, toFrame } from "../grpc/frames.ts";
import { readBinary, readMessage } from "../rest/json-problem.ts";
import { parseJson } from "../rest/json-syntax.ts";

/** How the bytes of a body hold the message. */
export interface Encoding {
  /** Whether the message is in a frame of gRPC, behind five bytes. */
  readonly framed: boolean;
  readonly json: boolean;
  /** As in `grpc-encoding`, which is that of frames with the compressed flag, or `content-encoding`, of the whole body. */
  readonly compression: string;
}

/** The compressions that the service can undo; each refuses to give more than `maxOutputLength` bytes. */
const DECOMPRESS = { gzip: promisify(gunzip), br: promisify(brotliDecompress) };

/** Their names, as `grpc-accept-encoding` lists them. */
export const COMPRESSIONS = Object.keys(DECOMPRESS).join(",");

export function canDecompress(compression: string): compression is keyof typeof DECOMPRESS {
  return Object.hasOwn(DECOMPRESS, compression);
}

/**
 * Checks that a body holds a message of the method, so that one that does not parse is refused with the first problem
 * named, and gives the body back uncompressed. What is compressed in a way that is not known, or not named, is left as it
 * is to the protocol's handler, which refuses it.
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
  if (json) readMessage(method.input, parseJson(message));
  else readBinary(method.input, message);
  return framed ? toFrame(0, message) : message;
}

async function decompress(bytes: Buffer, compression: string, framed: boolean, maxBytes: number): Promise<Buffer> {
  if (!canDecompress(compression) || bytes.length === 0) return bytes;
  try {
    return await DECOMPRESS[compression](bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (hasErrorCode(error, "ERR_BUFFER_TOO_LARGE")) throw tooLarge(maxBytes);
    const description = `the body is not valid ${compression}`;
    // "Could not decompress, but compression algorithm supported (Client -> Server)": INTERNAL.
    throw framed ? new SignetError("COMPRESSION_INVALID", description) : invalidArgument({ field: "", description });
  }
}

function tooLarge(maxBytes: number): SignetError {
  return new SignetError("BODY_TOO_LARGE", `the body has more than ${maxBytes} bytes`);
}
