import { SignetError } from "../errors.ts";
import { networksOf } from "../network-of.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { createTurnQueue } from "../turn-queue.ts";
import type { Exchange, Handler } from "./exchange.ts";
import { sendError } from "./router.ts";

/** The limits of requests that do not require a token. docs/security.md lists them. */
export interface PageTurnLimits {
  /** How many requests are served at the same time. */
  readonly running: number;
  /** How long a request counts as being served. A longer one waits for something else: a hash, a provider. */
  readonly longestMs: number;
  /** The number of requests that may wait: in total, and from a network or the widest network that contains it. */
  readonly waiting: number;
  readonly waitingPerNetwork: number;
  readonly waitingPerWideNetwork: number;
  /**
   * When further requests are rejected. Not at once, because a client that then sends its next request would keep the
   * event loop busy with rejections. Until then, each one counts as an open request of its address.
   */
  readonly refusalMs: number;
}

export const PAGE_TURN_LIMITS: PageTurnLimits = {
  // Four for each of the four database connections that pages use by default.
  running: 16,
  // A sign-in without a hash takes less than 20 ms.
  longestMs: 250,
  waiting: 2_048,
  waitingPerNetwork: 256,
  waitingPerWideNetwork: 512,
  refusalMs: 1_000,
};

/**
 * Requests of callers have turns of their own: applications that introspect tokens, for example, at many requests from
 * one address.
 */
const CALLER_TURN_LIMITS: PageTurnLimits = {
  ...PAGE_TURN_LIMITS,
  waiting: 4_096,
  waitingPerNetwork: 1_024,
  waitingPerWideNetwork: 1_024,
};

/** Returns a function that makes requests wait for their turns, separately for callers and strangers. */
export function createPageTurns(metrics?: Metrics, limits = PAGE_TURN_LIMITS): (handler: Handler) => Handler {
  const [ofStrangers, ofCallers] = [createTurns(limits, metrics), createTurns(CALLER_TURN_LIMITS, metrics)];
  return (handler) => {
    const [serveStranger, serveCaller] = [ofStrangers(handler), ofCallers(handler)];
    return (exchange) => (exchange.isOfCaller() ? serveCaller(exchange) : serveStranger(exchange));
  };
}

/**
 * Serves a few requests at a time, so that networks take turns: the first request of a network waits for at most one of
 * each other network. Requests beyond the limits are rejected with UNAVAILABLE.
 */
function createTurns(limits: PageTurnLimits, metrics: Metrics | undefined): (handler: Handler) => Handler {
  const { running: maxRunning, longestMs, waiting: total } = limits;
  const queue = createTurnQueue<{ start(): void }>({
    total,
    perGroup: limits.waitingPerWideNetwork,
    perMember: limits.waitingPerNetwork,
  });
  let running = 0;

  function startNext(): void {
    while (running < maxRunning) {
      const next = queue.take();
      if (next === undefined) return;
      // Each request counts the same.
      next.end(1);
      next.entry.start();
    }
  }

  function serve(handler: Handler, exchange: Exchange): void {
    running++;
    let isServed = false;
    const end = () => {
      if (isServed) return;
      isServed = true;
      clearTimeout(timer);
      running--;
      startNext();
    };
    const timer = setTimeout(end, longestMs);
    exchange.onClose(end);
    handler(exchange);
  }

  return (handler) => (exchange) => {
    if (running < maxRunning) {
      serve(handler, exchange);
      return;
    }
    const networks = networksOf(exchange.address);
    const turn = { group: networks.at(-1) ?? networks[0], member: networks[0] };
    const entry = { start: () => serve(handler, exchange) };
    if (queue.add(turn, entry)) {
      exchange.onClose(() => queue.remove(turn, entry));
      return;
    }
    metrics?.budgetExceeded("pages");
    const error = new SignetError("UNAVAILABLE", "the service is busy; try again", { retryAfterMs: limits.refusalMs });
    const timer = setTimeout(() => sendError(exchange, ["x-request-id", exchange.id], error), limits.refusalMs);
    exchange.onClose(() => clearTimeout(timer));
  };
}
