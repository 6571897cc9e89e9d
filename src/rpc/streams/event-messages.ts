import { create, toBinary, toJsonString } from "@bufbuild/protobuf";
import { WatchEventsResponseSchema } from "../../../gen/signet/v1/event_pb.js";
import type { WatchItem } from "../../events/kept-events.ts";
import { toFrame } from "../grpc/frames.ts";
import { toWatchItem } from "../messages/event.ts";

type MessageFormat = "binary" | "json";

/**
 * Encodes items of streams as messages of `WatchEvents`, one after another, each with the prefix that gRPC, gRPC-Web and
 * Connect have in common: no flags, and the length. An item of the feed is encoded once for all of its watchers.
 */
export function encodeItems(items: readonly WatchItem[], format: MessageFormat): Buffer {
  const messages = items.map((item) => encodeOnce(item, format));
  const [only] = messages;
  return messages.length === 1 && only !== undefined ? only : Buffer.concat(messages);
}

function encodeOnce(item: WatchItem, format: MessageFormat): Buffer {
  const known = item.encoded?.[format];
  if (known !== undefined) return known;
  const encoded = encode(item, format);
  if (item.encoded !== undefined) item.encoded[format] = encoded;
  return encoded;
}

function encode(item: WatchItem, format: MessageFormat): Buffer {
  const message = create(WatchEventsResponseSchema, toWatchItem(item));
  const bytes =
    format === "json"
      ? Buffer.from(toJsonString(WatchEventsResponseSchema, message))
      : toBinary(WatchEventsResponseSchema, message);
  return toFrame(0, bytes);
}
