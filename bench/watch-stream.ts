import { once } from "node:events";
import type { ClientHttp2Session, ClientHttp2Stream } from "node:http2";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  WatchEventsRequestSchema,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "../gen/signet/v1/event_pb.js";
import { MESSAGE_PREFIX_BYTES, toFrame } from "../src/rpc/grpc/frames.ts";

/** A stream of `AdminService.WatchEvents` over gRPC. It reads nothing until `read` is called. */
export interface WatchStream {
  read(onMessage: (message: WatchEventsResponse) => void): void;
}

/**
 * Opens a stream, and waits for its headers, which come with its first message. Reads the frames itself: Connect's client
 * takes longer for a message than the service, and would be what a benchmark on one machine measures.
 */
export async function openWatch(
  session: ClientHttp2Session,
  token: string,
  request: MessageInitShape<typeof WatchEventsRequestSchema>,
): Promise<WatchStream> {
  const stream = session.request({
    ":method": "POST",
    ":path": "/signet.v1.AdminService/WatchEvents",
    "content-type": "application/grpc+proto",
    te: "trailers",
    authorization: `Bearer ${token}`,
  });
  stream.end(toFrame(0, toBinary(WatchEventsRequestSchema, create(WatchEventsRequestSchema, request))));
  const [headers] = await once(stream, "response");
  const { "grpc-status": status, "grpc-message": message } = headers;
  if (status !== undefined) throw new Error(`WatchEvents has ended with status ${status}: ${message}`);
  return { read: (onMessage) => readMessages(stream, onMessage) };
}

function readMessages(stream: ClientHttp2Stream, onMessage: (message: WatchEventsResponse) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      const start = at + MESSAGE_PREFIX_BYTES;
      const end = start > bytes.length ? Number.POSITIVE_INFINITY : start + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) break;
      onMessage(fromBinary(WatchEventsResponseSchema, bytes.subarray(start, end)));
      at = end;
    }
    rest = bytes.subarray(at);
  });
}
