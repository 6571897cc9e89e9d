import type { IncomingHttpHeaders } from "node:http";
import { bodyTooLarge, invalidArgument, type SignetError } from "../../errors.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { Protocol } from "../run-call.ts";

/**
 * The text mode of gRPC-Web (grpc/doc/PROTOCOL-WEB.md, "Text-encoded streams"): bodies are base64, in chunks that can
 * each end with padding.
 */
const TEXT_TYPE = /^[\t ]*application\/grpc-web-text(?=[+; \t]|$)/i;

export function isWebText(headers: IncomingHttpHeaders): boolean {
  return TEXT_TYPE.test(headers["content-type"] ?? "");
}

/** The content type of the same call in binary mode. */
export function toBinaryType(headers: IncomingHttpHeaders): string {
  return (headers["content-type"] ?? "").trim().replace(TEXT_TYPE, "application/grpc-web");
}

/** The content type of the response. */
export function toTextType(headers: IncomingHttpHeaders): string {
  const [, format = "+proto"] = /^[^+;]*(\+\w+)/.exec(headers["content-type"] ?? "") ?? [];
  return `application/grpc-web-text${format.toLowerCase()}`;
}

/** The text mode of a protocol: decodes the body for `binary`, and encodes what it sends. */
export function createTextProtocol(binary: Protocol, maxBodyBytes: number): Protocol {
  const maxBytes = maxBodyBytes + binary.overheadBytes;
  return {
    name: binary.name,
    // Every three bytes take four characters, and each additional chunk up to four more.
    overheadBytes: Math.ceil(maxBytes / 3) * 4 + 1_024 - maxBodyBytes,
    async respond(exchange, headers, body, run) {
      const bytes = decodeWebText(body);
      if (bytes.length > maxBytes) throw bodyTooLarge(maxBodyBytes);
      return await binary.respond(toBinaryExchange(exchange), headers, bytes, run);
    },
    sendError: (exchange, headers, error) => binary.sendError(toBinaryExchange(exchange), headers, error),
  };
}

/** Adapts the exchange for a protocol in binary mode. */
function toBinaryExchange(exchange: Exchange): Exchange {
  const { id, method, path, query, address, hasTrailers } = exchange;
  return {
    id,
    method,
    path,
    query,
    address,
    hasTrailers,
    headers: { ...exchange.headers, "content-type": toBinaryType(exchange.headers) },
    readBody: (limits) => exchange.readBody(limits),
    onClose: (callback) => exchange.onClose(callback),
    send(status, headers, body, trailers) {
      const type = toTextType(exchange.headers);
      const isType = (at: number) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === "content-type";
      const encoded = headers.map((value, at) => (isType(at) ? type : value));
      exchange.send(status, encoded, body && encodeBase64(body), trailers);
    },
    toNode: () => exchange.toNode(),
    refuseStranger: (checksCredential) => exchange.refuseStranger(checksCredential),
    countFailure: (wasValid) => exchange.countFailure(wasValid),
    isOfCaller: () => exchange.isOfCaller(),
    trust: () => exchange.trust(),
  };
}

/** Encodes a chunk of a body. */
export function encodeBase64(bytes: Uint8Array): Buffer {
  const { buffer, byteOffset, length } = bytes;
  return Buffer.from(Buffer.from(buffer, byteOffset, length).toString("base64"), "latin1");
}

/** Encodes each chunk separately. */
export async function* encodeChunks(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<Buffer> {
  for await (const chunk of chunks) yield encodeBase64(chunk);
}

/** Decodes chunks of any size. Throws like `decodeWebText`. */
export async function* decodeChunks(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const text = Buffer.concat([rest, chunk]);
    const whole = text.length - (text.length % 4);
    rest = text.subarray(whole);
    if (whole > 0) yield decodeWebText(text.subarray(0, whole));
  }
  if (rest.length > 0) throw malformed();
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Greater than any digit, even when combined with others by `|`. */
const INVALID = 0x80;
const DIGITS = new Uint8Array(256).fill(INVALID);
for (const [digit, character] of [...ALPHABET].entries()) DIGITS[character.charCodeAt(0)] = digit;
const PADDING = "=".charCodeAt(0);

/**
 * Decodes base64 (RFC 4648, section 4), in which any group of four characters may be padded.
 *
 * @throws SignetError INVALID_ARGUMENT.
 */
export function decodeWebText(text: Uint8Array): Buffer {
  if (text.length % 4 !== 0) throw malformed();
  const bytes = Buffer.allocUnsafe((text.length / 4) * 3);
  let length = 0;
  for (let at = 0; at < text.length; at += 4) {
    const padded = text[at + 3] !== PADDING ? 0 : text[at + 2] !== PADDING ? 1 : 2;
    const w = digitAt(text, at);
    const x = digitAt(text, at + 1);
    const y = padded < 2 ? digitAt(text, at + 2) : 0;
    const z = padded < 1 ? digitAt(text, at + 3) : 0;
    if ((w | x | y | z) >= INVALID) throw malformed();
    bytes[length] = (w << 2) | (x >> 4);
    bytes[length + 1] = ((x & 0x0f) << 4) | (y >> 2);
    bytes[length + 2] = ((y & 0x03) << 6) | z;
    length += 3 - padded;
  }
  return bytes.subarray(0, length);
}

function digitAt(text: Uint8Array, at: number): number {
  return DIGITS[text[at] ?? 0] ?? INVALID;
}

function malformed(): SignetError {
  return invalidArgument({ field: "", description: "the body is not valid base64" });
}
