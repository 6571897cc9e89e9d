import { createContextKey } from "@connectrpc/connect";
import type { Principal } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { WatchItem } from "../../events/kept-events.ts";
import type { OpenStream } from "./open-streams.ts";

/** An authorized stream of `WatchEvents`. */
export interface Watching {
  readonly call: Call<Principal>;
  readonly stream: OpenStream;
  /** Ends the stream. */
  readonly over: AbortController;
  readonly recheck: () => Promise<Principal>;
  /** Sends items after the first message, as fast as the client receives them. */
  readonly send: (items: readonly WatchItem[]) => Promise<void>;
  /** Called with the code with which the stream ends. */
  readonly end: (code: string, reason?: string) => void;
}

export const watchingKey = createContextKey<Watching | undefined>(undefined, { description: "the watching caller" });
