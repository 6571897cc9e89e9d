import type { Readable } from "node:stream";
import { bodyTooLarge, type SignetError } from "../errors.ts";
import type { BodyLimits } from "./exchange.ts";

const NO_BYTES: Buffer = Buffer.alloc(0);

/**
 * How much of a body that is too large is read before the response. curl and HAProxy fail to deliver a response that
 * arrives while they are sending.
 */
export const MAX_DROPPED_BYTES = 16 * 2 ** 20;

/** Reads a body; see `Exchange.readBody`. */
export function readBody(
  body: Readable & { readonly aborted: boolean },
  { maxBytes, overheadBytes, isOver }: BodyLimits,
): Promise<Buffer | SignetError> {
  return new Promise((resolve) => {
    // An empty body ends without being read.
    if (body.readableEnded && !body.aborted) resolve(NO_BYTES);
    let bytes = NO_BYTES;
    let size = 0;
    let isDropped = false;
    body.on("data", (chunk: Buffer) => {
      const start = size;
      size += chunk.length;
      isDropped ||= size > maxBytes + overheadBytes || isOver();
      if (isDropped) {
        // The rest is read and dropped.
        bytes = NO_BYTES;
        if (size > maxBytes + MAX_DROPPED_BYTES) resolve(bodyTooLarge(maxBytes));
      } else if (start === 0) {
        bytes = chunk;
      } else {
        if (size > bytes.length) bytes = Buffer.concat([bytes], Math.max(size, 2 * bytes.length));
        chunk.copy(bytes, start);
      }
    });
    body.on("end", () => {
      // An HTTP/2 stream that was reset ends like any other, and its truncated bytes may form a different, valid
      // message.
      if (!body.aborted) resolve(isDropped ? bodyTooLarge(maxBytes) : bytes.subarray(0, size));
    });
  });
}
