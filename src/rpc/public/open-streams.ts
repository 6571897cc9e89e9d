import type { Http2Session } from "node:http2";
import { SignetError } from "../../errors.ts";
import { networkOf } from "../../http/network-of.ts";
import { createBucket, isFull, spend, type TokenBucket, timeUntil } from "../../http/token-bucket.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import type { StreamBudgets } from "./stream-budgets.ts";

/** Ends an open call, and describes its connection. */
export interface StreamEnds {
  /** Undefined for HTTP/1.1. */
  readonly session: Http2Session | undefined;
  /** Ends the request, with or without an error; the operation then sends its response. */
  endRequest(error?: SignetError): void;
  /** Aborts the call. */
  destroy(): void;
}

/** An open call to a service that does not require a token. */
export interface OpenStream {
  /** A request message has arrived. Throws SignetError TOO_MANY_REQUESTS. */
  countMessage(): void;
  /** From now on the client only listens: it is not idle as long as it acknowledges PING frames. */
  listen(): void;
  /** True while the writer waits for the client; false when it continues. */
  setBlocked(isBlocked: boolean): void;
  close(): void;
}

/** The open calls to the services that do not require a token, with their budgets. */
export interface OpenStreams {
  /** Throws SignetError: TOO_MANY_REQUESTS, and UNAVAILABLE once the service drains. */
  open(address: string, isStreaming: boolean, ends: StreamEnds): OpenStream;
  /** Ends every request, and rejects new streams. */
  drain(): void;
}

interface Entry extends StreamEnds {
  activeAt: number;
  blockedSince: number | undefined;
  isListening: boolean;
}

interface Address {
  streams: number;
  readonly messages: TokenBucket;
}

export function createOpenStreams(budgets: StreamBudgets, metrics?: Metrics): OpenStreams {
  const entries = new Set<Entry>();
  const addresses = new Map<string, Address>();
  let streams = 0;
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;
  /** Sessions that have not acknowledged a PING. */
  let unacknowledged = new Set<Http2Session>();
  let pingedAt = 0;

  function find(network: string): Address {
    let address = addresses.get(network);
    if (address === undefined) {
      address = { streams: 0, messages: createBucket(budgets.messageRate, performance.now()) };
      addresses.set(network, address);
    }
    return address;
  }

  function sweep(): void {
    const now = performance.now();
    const shouldPing = now - pingedAt >= budgets.pingMs;
    const silent = unacknowledged;
    const toPing = new Set<Http2Session>();
    for (const entry of entries) {
      const { session, isListening, blockedSince } = entry;
      const isBlocked = blockedSince !== undefined && now - blockedSince > budgets.receiveMs;
      const isSilent = shouldPing && isListening && session !== undefined && silent.has(session);
      if (isBlocked || isSilent) entry.destroy();
      else if (!isListening && now - entry.activeAt > budgets.idleMs) entry.endRequest();
      if (isListening && session !== undefined) toPing.add(session);
    }
    if (shouldPing) ping(toPing, now);
    for (const [network, { streams: open, messages }] of addresses) {
      if (open === 0 && isFull(messages, budgets.messageRate, now)) addresses.delete(network);
    }
    if (entries.size === 0 && addresses.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }

  function ping(sessions: Set<Http2Session>, now: number): void {
    pingedAt = now;
    const pinged = new Set<Http2Session>();
    unacknowledged = pinged;
    for (const session of sessions) {
      if (session.destroyed || session.closed) continue;
      if (session.ping((error) => error === null && pinged.delete(session))) pinged.add(session);
    }
  }

  function tooMany(what: string, retryAfterMs: number, limit: number): SignetError {
    metrics?.budgetExceeded("streams");
    return new SignetError("TOO_MANY_REQUESTS", `too many ${what}; try again later`, {
      retryAfterMs: Math.max(retryAfterMs, 1_000),
      metadata: { limit: String(limit) },
    });
  }

  return {
    open(address, isStreaming, ends) {
      const client = find(networkOf(address));
      if (isStreaming) {
        if (isDraining) throw draining();
        if (streams >= budgets.streams || client.streams >= budgets.streamsPerAddress) {
          throw tooMany("streams", budgets.idleMs, budgets.streamsPerAddress);
        }
        streams += 1;
        client.streams += 1;
      }
      const entry: Entry = { ...ends, activeAt: performance.now(), blockedSince: undefined, isListening: false };
      entries.add(entry);
      timer ??= setInterval(sweep, Math.min(1_000, budgets.idleMs, budgets.receiveMs, budgets.pingMs)).unref();
      let messages = 0;
      return {
        countMessage() {
          const now = performance.now();
          messages += 1;
          if (messages > budgets.messages) throw tooMany("messages on this stream", 0, budgets.messages);
          if (isStreaming && !spend(client.messages, budgets.messageRate, now)) {
            throw tooMany("messages", timeUntil(client.messages, budgets.messageRate), budgets.messageRate.burst);
          }
          entry.activeAt = now;
        },
        listen() {
          // HTTP/1.1 has no PING, so the call ends like an idle one.
          entry.isListening = entry.session !== undefined;
        },
        setBlocked(isBlocked) {
          entry.blockedSince = isBlocked ? performance.now() : undefined;
        },
        close() {
          if (!entries.delete(entry) || !isStreaming) return;
          streams -= 1;
          client.streams -= 1;
        },
      };
    },
    drain() {
      isDraining = true;
      for (const { endRequest } of entries) endRequest(draining());
    },
  };
}

/** The error of a stream that ends because the service shuts down. */
export function draining(): SignetError {
  return new SignetError("UNAVAILABLE", "the service is shutting down; connect again");
}
