import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { bodyTooLarge, invalidArgument, SignetError } from "../../errors.ts";
import { hasErrorCode } from "../../files.ts";
import { COMPRESSED, readOnlyFrame, toFrame } from "../grpc/frames.ts";
import { parseJson } from "../json/json-syntax.ts";
import { hasOneofs } from "../json/null-members.ts";
import { readMessage } from "../json/read-message.ts";
import { readBinary } from "../read-binary.ts";

/** How the message is encoded in the body. */
export interface Encoding {
  /** Whether the message is in a gRPC frame, after a five-byte prefix. */
  readonly framed: boolean;
  readonly json: boolean;
  /**
   * `grpc-encoding`, which applies to frames with the compressed flag, or `content-encoding`, which applies to the
   * body.
   */
  readonly compression: string;
}

/** The compressions that the service supports. They run in Node's thread pool. */
const DECOMPRESS = { gzip: promisify(gunzip), br: promisify(brotliDecompress) };

/** Each chunk takes one event loop iteration: 1 MiB takes 1 ms with this chunk size, and 2.5 ms with the default. */
const CHUNK_BYTES = 65_536;

/** Their names, as `grpc-accept-encoding` lists them. */
export const ACCEPTED_ENCODINGS = Object.keys(DECOMPRESS).join(",");

export function canDecompress(compression: string): compression is keyof typeof DECOMPRESS {
  return Object.hasOwn(DECOMPRESS, compression);
}

/**
 * Decompresses a body and checks that it contains a message of the method, so that the error names the first problem.
 * Returns a compressed frame without a compression unchanged, because the protocol's handler rejects it.
 *
 * @throws SignetError INVALID_ARGUMENT, MESSAGE_COUNT, BODY_TOO_LARGE, COMPRESSION_INVALID.
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
  const checked = json ? checkJson(method.input, message) : message;
  if (!json) readBinary(method.input, message);
  return framed ? toFrame(0, checked) : checked;
}

/** Returns the JSON without null members of oneofs, because Connect's parser counts them as set. */
function checkJson(input: DescMessage, bytes: Buffer): Buffer {
  const json = parseJson(bytes, input);
  readMessage(input, json);
  return hasOneofs(input) ? Buffer.from(JSON.stringify(json)) : bytes;
}

async function decompress(bytes: Buffer, compression: string, framed: boolean, maxBytes: number): Promise<Buffer> {
  if (!canDecompress(compression) || bytes.length === 0) return bytes;
  try {
    return await DECOMPRESS[compression](bytes, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES });
  } catch (error) {
    if (hasErrorCode(error, "ERR_BUFFER_TOO_LARGE")) throw bodyTooLarge(maxBytes);
    const description = `the body is not valid ${compression}`;
    // "Could not decompress, but compression algorithm supported (Client -> Server)": INTERNAL.
    throw framed ? new SignetError("COMPRESSION_INVALID", description) : invalidArgument({ field: "", description });
  }
}
