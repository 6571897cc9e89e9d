import { SignetError } from "../errors.ts";
import type { Exchange } from "./exchange.ts";

/** The time limit of a request. */
export interface Watch {
  /** Aborted when the client disconnects or the time limit is reached. */
  readonly signal: AbortSignal;
  readonly hasGone: () => boolean;
  readonly stopTimer: () => void;
}

export function watchExchange(exchange: Exchange, timeoutMs: number): Watch {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  const stopTimer = () => clearTimeout(timer);
  let isGone = false;
  exchange.onClose(() => {
    isGone = true;
    stopTimer();
    controller.abort(GONE);
  });
  return { signal: controller.signal, hasGone: () => isGone, stopTimer };
}

/** A reason for each request would take 60 µs of CPU time: its stack. */
const GONE = new DOMException("the client has its response, or has disconnected", "AbortError");

/**
 * Reads the body of a form. Resolves to SignetError BODY_TOO_LARGE, or to DEADLINE_EXCEEDED if the signal is aborted
 * before the body has arrived.
 */
export async function readForm(
  exchange: Exchange,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | SignetError> {
  const late = Promise.withResolvers<SignetError>();
  const onAbort = () => late.resolve(new SignetError("DEADLINE_EXCEEDED", "the form did not arrive in time"));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  const body = await Promise.race([
    late.promise,
    exchange.readBody({ maxBytes, overheadBytes: 0, isOver: () => signal.aborted }),
  ]);
  signal.removeEventListener("abort", onAbort);
  return body;
}
