import { type ContextValues, createContextKey } from "@connectrpc/connect";
import { SignetError } from "../../errors.ts";
import { toConnectError } from "../connect/handlers.ts";
import type { OpenStream } from "./open-streams.ts";

/** The context key for the stream of a call that does not require a token. */
export const streamKey = createContextKey<OpenStream | undefined>(undefined, { description: "stream of the call" });

/**
 * Counts a request message of a call.
 *
 * @returns The stream of the call.
 * @throws ConnectError TOO_MANY_REQUESTS.
 */
export function countMessage(values: ContextValues): OpenStream {
  const stream = values.get(streamKey);
  if (stream === undefined) throw new Error("a call without a stream");
  try {
    stream.countMessage();
  } catch (error) {
    throw error instanceof SignetError ? toConnectError(error) : error;
  }
  return stream;
}
