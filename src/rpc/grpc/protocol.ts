import { type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { encodeBinaryHeader } from "@connectrpc/connect";
import { type Status, StatusSchema } from "../../../gen/google/rpc/status_pb.js";
import { SignetError } from "../../errors.ts";
import { errorHeaders } from "../../http/error-object.ts";
import type { RawHeaders } from "../../http/exchange.ts";
import type { Rpc } from "../implement.ts";
import { readBinary } from "../read-binary.ts";
import type { Protocol } from "../run-call.ts";
import { toStatus } from "../status.ts";
import { COMPRESSED, MESSAGE_PREFIX_BYTES, readOnlyFrame, toFrame } from "./frames.ts";
import { limitStatus } from "./limit-status.ts";

/** The flag of the frame that contains gRPC-Web trailers (grpc/doc/PROTOCOL-WEB.md). */
const TRAILERS = 0x80;

const OK = ["grpc-status", "0"];
const GRPC = ["content-type", "application/grpc+proto"];
const GRPC_WEB = ["content-type", "application/grpc-web+proto"];
const OK_FRAME = toFrame(TRAILERS, Buffer.from("grpc-status: 0\r\n"));

/**
 * gRPC: one frame in each direction, and the status in the trailers. An error consists of headers only
 * ("Trailers-Only").
 */
export function createGrpcProtocol({ desc }: Rpc): Protocol {
  return {
    name: "grpc",
    overheadBytes: MESSAGE_PREFIX_BYTES,
    async respond(exchange, headers, body, run) {
      const message = await run(readFramed(desc.input, body));
      exchange.send(200, [...headers, ...GRPC], toFrame(0, toBinary(desc.output, message)), OK);
      return "ok";
    },
    sendError(exchange, headers, error) {
      exchange.send(200, [...headers, ...GRPC], undefined, toGrpcTrailers(error));
    },
  };
}

/**
 * gRPC-Web: the same frames, and the trailers in the last frame of the body instead of HTTP trailers, so no limit of headers
 * applies to them.
 */
export function createGrpcWebProtocol({ desc }: Rpc): Protocol {
  return {
    name: "grpc-web",
    overheadBytes: MESSAGE_PREFIX_BYTES,
    async respond(exchange, headers, body, run) {
      const message = await run(readFramed(desc.input, body));
      const response = Buffer.concat([toFrame(0, toBinary(desc.output, message)), OK_FRAME]);
      exchange.send(200, [...headers, ...GRPC_WEB], response);
      return "ok";
    },
    sendError(exchange, headers, error) {
      const trailers = toTrailers(error, toStatus(error));
      let lines = "";
      for (let at = 0; at < trailers.length; at += 2) lines += `${trailers[at]}: ${trailers[at + 1]}\r\n`;
      exchange.send(200, [...headers, ...GRPC_WEB], toFrame(TRAILERS, Buffer.from(lines)));
    },
  };
}

/** An error as gRPC trailers, which are not longer than clients accept. */
export function toGrpcTrailers(error: SignetError): RawHeaders {
  return toTrailers(error, limitStatus(toStatus(error)));
}

/** The headers "Status" and "Status-Message" of PROTOCOL-HTTP2.md. */
function toTrailers(error: SignetError, status: Status): RawHeaders {
  return [
    ...errorHeaders(error),
    "grpc-status",
    String(status.code),
    "grpc-message",
    encodeURI(status.message),
    "grpc-status-details-bin",
    encodeBinaryHeader(status, StatusSchema),
  ];
}

/** @throws SignetError for a body that is not exactly one uncompressed frame with a message of this type. */
function readFramed(desc: DescMessage, body: Buffer): Message {
  const frame = readOnlyFrame(body);
  if (frame.flags === COMPRESSED) {
    // grpc/doc/compression.md: the compressed flag without an encoding is INTERNAL.
    throw new SignetError(
      "FRAME_COMPRESSED",
      "a frame is marked as compressed, but grpc-encoding names no compression",
    );
  }
  return readBinary(desc, frame.payload);
}
