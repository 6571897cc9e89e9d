import { create, toBinary, toJsonString } from "@bufbuild/protobuf";
import { WatchEventsResponseSchema } from "../../../gen/signet/v1/event_pb.js";
import type { EventRow } from "../../events/list-events.ts";
import type { WatchItem } from "../../events/watch-events.ts";
import { toFrame } from "../grpc/frames.ts";
import { toWatchItem } from "../responses/event.ts";

export type MessageFormat = "binary" | "json";

/**
 * Encodes items of streams as messages of `WatchEvents`, one after another, each with the prefix that gRPC, gRPC-Web and
 * Connect have in common: no flags, and the length.
 */
export type EncodeItems = (items: readonly WatchItem[], format: MessageFormat) => Buffer;

/** Creates a function that encodes an event once for all watchers that get the same object from the feed. */
export function createEncodeItems(): EncodeItems {
  const known = { binary: new WeakMap<EventRow, Buffer>(), json: new WeakMap<EventRow, Buffer>() };

  function encodeOnce(item: WatchItem, format: MessageFormat): Buffer {
    const { event } = item;
    const encoded = (event && known[format].get(event)) ?? encode(item, format);
    if (event !== undefined) known[format].set(event, encoded);
    return encoded;
  }

  return (items, format) => {
    const messages = items.map((item) => encodeOnce(item, format));
    const [only] = messages;
    return messages.length === 1 && only !== undefined ? only : Buffer.concat(messages);
  };
}

function encode(item: WatchItem, format: MessageFormat): Buffer {
  const message = create(WatchEventsResponseSchema, toWatchItem(item));
  const bytes =
    format === "json"
      ? Buffer.from(toJsonString(WatchEventsResponseSchema, message))
      : toBinary(WatchEventsResponseSchema, message);
  return toFrame(0, bytes);
}
