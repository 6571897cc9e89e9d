import type { IncomingHttpHeaders } from "node:http";
import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { SignetError } from "../../errors.ts";
import { readTimeoutMs } from "../call-timeout.ts";
import { readBinary } from "../read-binary.ts";
import type { RpcMethod } from "../rpc-methods.ts";
import type { Wire } from "../serve-unary.ts";
import { toGrpcTrailers } from "../wire-errors.ts";
import { COMPRESSED, FRAME_HEADER_BYTES, readOnlyFrame, toFrame } from "./frames.ts";

/** Flag of the frame that holds the trailers of gRPC-Web (PROTOCOL-WEB.md of gRPC). */
const TRAILERS = 0x80;

/** Content types that are binary protobuf, by their form. */
const CONTENT_TYPES: ReadonlyMap<string | undefined, "grpc" | "grpc-web"> = new Map([
  ["application/grpc", "grpc"],
  ["application/grpc+proto", "grpc"],
  ["application/grpc-web", "grpc-web"],
  ["application/grpc-web+proto", "grpc-web"],
]);

/** A call of gRPC or gRPC-Web as it says itself in its headers. */
export interface GrpcCall {
  readonly form: "grpc" | "grpc-web";
  /** How long the caller waits, in milliseconds. */
  readonly timeoutMs: number | undefined;
}

/** The form of any call of gRPC or gRPC-Web; undefined for other requests. */
export function grpcFormOf(headers: IncomingHttpHeaders): GrpcCall["form"] | undefined {
  // HTTP/2 leaves white space where it is.
  const [, web] = /^[\t ]*application\/grpc(-web)?\b/i.exec(headers["content-type"] ?? "") ?? [undefined, null];
  return web === null ? undefined : web ? "grpc-web" : "grpc";
}

/** Reads the headers of a plain call: binary, not compressed. Any other is undefined, and left to Connect. */
export function readGrpcHeaders(headers: IncomingHttpHeaders): GrpcCall | undefined {
  const form = CONTENT_TYPES.get(headers["content-type"]);
  const encoding = headers["grpc-encoding"];
  if (form === undefined || (encoding !== undefined && encoding !== "identity")) return undefined;
  const timeoutMs = readTimeoutMs(form, headers);
  const isMalformed = timeoutMs === undefined && headers["grpc-timeout"] !== undefined;
  return isMalformed ? undefined : { form, timeoutMs };
}

const OK = { "grpc-status": "0" };

/** gRPC: one frame each way, the status in the trailers; an error is headers alone ("Trailers-Only"). */
export function createGrpcWire({ desc }: RpcMethod): Wire {
  const contentType = ["content-type", "application/grpc+proto"];
  return {
    overheadBytes: FRAME_HEADER_BYTES,
    readMessage: (body) => readFramed(desc.input, body),
    sendMessage(exchange, headers, message) {
      exchange.send(200, [...headers, ...contentType], toFrame(0, toBinary(desc.output, message)), OK);
    },
    sendError(exchange, headers, error) {
      exchange.send(200, [...headers, ...contentType], undefined, toGrpcTrailers(error));
    },
  };
}

const OK_FRAME = toFrame(TRAILERS, Buffer.from("grpc-status: 0\r\n"));

/** gRPC-Web: the same frames, and the trailers in a last frame of the body, so that it needs no trailers of HTTP. */
export function createGrpcWebWire({ desc }: RpcMethod): Wire {
  const contentType = ["content-type", "application/grpc-web+proto"];
  return {
    overheadBytes: FRAME_HEADER_BYTES,
    readMessage: (body) => readFramed(desc.input, body),
    sendMessage(exchange, headers, message) {
      const body = Buffer.concat([toFrame(0, toBinary(desc.output, message)), OK_FRAME]);
      exchange.send(200, [...headers, ...contentType], body);
    },
    sendError(exchange, headers, error) {
      const lines = Object.entries(toGrpcTrailers(error)).map(([name, value]) => `${name}: ${value}\r\n`);
      exchange.send(200, [...headers, ...contentType], toFrame(TRAILERS, Buffer.from(lines.join(""))));
    },
  };
}

/** @throws SignetError for a body that is not exactly one uncompressed frame with a message of this type. */
function readFramed(desc: DescMessage, body: Buffer): Message {
  const frame = readOnlyFrame(body);
  if (frame.flags === COMPRESSED) {
    // grpc/doc/compression.md: compressed without an encoding is INTERNAL.
    throw new SignetError(
      "FRAME_COMPRESSED",
      "a frame is marked as compressed, but grpc-encoding names no compression",
    );
  }
  return readBinary(desc, frame.payload);
}
