import type { DescMethodServerStreaming, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import type { WatchEventsRequestSchema, WatchEventsResponseSchema } from "../../../gen/signet/v1/event_pb.js";
import { deadlineExceeded } from "../../errors.ts";
import { type WatchEventsParts, watchEvents } from "../../events/watch-events.ts";
import { logFailure } from "../../log-failure.ts";
import { toConnectError } from "../connect/handlers.ts";
import { toEventWatch, toWatchItem } from "../messages/event.ts";
import { checkMessage } from "../rules/check-message.ts";
import { draining } from "./open-streams.ts";
import { toSignetError } from "./serve-stream.ts";
import type { Watching } from "./watching.ts";

/** A method `WatchEvents`. */
export interface WatchMethod {
  readonly method: DescMethodServerStreaming<typeof WatchEventsRequestSchema, typeof WatchEventsResponseSchema>;
  readonly scope: "org" | "instance";
}

/**
 * The operation of `WatchEvents`. It yields the first message to Connect, which sends the headers with it. All others
 * it sends itself, several at once: Connect takes several times as long for a message, and encodes it for each watcher.
 * Connect also sends the end of the stream, which is the same for all of its operations.
 *
 * @param callerSignal Aborted when the deadline of the caller has passed.
 */
export async function* sendEvents(
  { log, ...parts }: WatchEventsParts & { readonly log: Logger },
  { method, scope }: WatchMethod,
  request: MessageShape<typeof WatchEventsRequestSchema>,
  { call, stream, recheck, send, end, over }: Watching,
  callerSignal: AbortSignal,
): AsyncGenerator<MessageInitShape<typeof WatchEventsResponseSchema>, void> {
  const { signal } = over;
  const endWithCaller = () => over.abort(callerSignal.reason);
  // Not `AbortSignal.any`, whose result takes longer to look at, which happens for each message.
  callerSignal.addEventListener("abort", endWithCaller);
  if (callerSignal.aborted) endWithCaller();
  try {
    const fields = await checkMessage(method.input, request, (problems) => toEventWatch(request, problems));
    stream.listen();
    let isFirst = true;
    for await (const items of watchEvents(parts, scope, fields, { call, signal, recheck })) {
      const [first] = items;
      if (isFirst && first !== undefined) yield toWatchItem(first);
      const rest = isFirst ? items.slice(1) : items;
      if (rest.length > 0) await send(rest);
      isFirst = false;
      stream.touch();
    }
    if (signal.aborted) throw signal.reason ?? draining();
    end("ok");
  } catch (thrown) {
    throw endWithError(thrown, log, end);
  } finally {
    // The client has gone.
    end("canceled");
  }
}

/** Notes with which code the stream ends, and returns the error for Connect. */
function endWithError(thrown: unknown, log: Logger, end: Watching["end"]): unknown {
  if (thrown instanceof ConnectError && thrown.code === Code.Canceled) {
    end("canceled");
    return thrown;
  }
  const isLate = thrown instanceof ConnectError && thrown.code === Code.DeadlineExceeded;
  const error = isLate ? deadlineExceeded() : toSignetError(thrown);
  if (error.cause !== undefined && error.code === "internal") {
    logFailure(log, "error", { err: error.cause }, error.message);
  }
  end(error.code, error.reason);
  return toConnectError(error);
}
