import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";

/** A request body that the service can end before its client does. */
interface EndableBody extends AsyncIterable<Buffer> {
  /** Ends the body, with or without an error. Further bytes from the client are dropped. */
  end(error?: Error): void;
}

/**
 * Reads a request's body as it arrives, no faster than it is consumed. Can be iterated once.
 *
 * @param request Of HTTP/1.1, or of Node's compatibility layer over HTTP/2.
 */
export function createEndableBody(request: IncomingMessage | Http2ServerRequest): EndableBody {
  let waiting: PromiseWithResolvers<IteratorResult<Buffer, undefined>> | undefined;
  // An empty HTTP/2 body may have ended before the request was dispatched.
  let isOver = "stream" in request && request.stream.readableEnded;
  let failure: Error | undefined;

  function settle(): void {
    if (waiting === undefined) return;
    const chunk: Buffer | null = isOver ? null : request.read();
    if (chunk !== null) waiting.resolve({ done: false, value: chunk });
    else if (!isOver) return;
    else if (failure !== undefined) waiting.reject(failure);
    else waiting.resolve({ done: true, value: undefined });
    waiting = undefined;
  }

  function end(error?: Error): void {
    if (isOver) return;
    isOver = true;
    failure = error;
    settle();
    request.off("readable", settle);
    request.resume();
  }

  request.on("readable", settle);
  request.on("end", () => end());
  request.on("error", end);
  request.on("close", () => end());
  const iterator: AsyncIterator<Buffer, undefined> = {
    next() {
      waiting = Promise.withResolvers();
      const { promise } = waiting;
      settle();
      return promise;
    },
    async return() {
      end();
      return { done: true, value: undefined };
    },
  };
  return { end, [Symbol.asyncIterator]: () => iterator };
}
