import type { Http2Session } from "node:http2";
import { SignetError } from "../../errors.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { createBucket, isFull, spend, type TokenBucket, timeUntil } from "../../token-bucket.ts";
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

/** An open call. */
export interface OpenStream {
  /** A request message has arrived. Throws SignetError TOO_MANY_REQUESTS. */
  countMessage(): void;
  /**
   * From now on the client only listens: it is not idle as long as it acknowledges PING frames. `Watch` cannot repeat
   * the status instead, because a message means a change.
   */
  listen(): void;
  /** A response message was received, so the call is not idle. */
  touch(): void;
  /** True while the writer waits for the client; false when it continues. */
  setBlocked(isBlocked: boolean): void;
  close(): void;
}

/** Who opens a call. */
interface StreamClient {
  /** Its address, or its user if a token is required. */
  readonly key: string;
  /** The organization of the user. */
  readonly orgId?: string;
}

/** The open calls of some services, with their budgets. */
export interface OpenStreams {
  /** @throws SignetError TOO_MANY_REQUESTS, and UNAVAILABLE once the service drains. */
  open(client: StreamClient, isStreaming: boolean, ends: StreamEnds): OpenStream;
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
  /** The open streams of each organization that has any. */
  const orgs = new Map<string, number>();
  let streams = 0;
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;
  /** Sessions that have not acknowledged a PING. */
  let unacknowledged: ReadonlySet<Http2Session> = new Set();
  let pingedAt = 0;

  return {
    open({ key, orgId }, isStreaming, ends) {
      const client = findAddress(addresses, key, budgets);
      if (isStreaming) {
        if (isDraining) throw draining();
        if (streams >= budgets.streams || client.streams >= budgets.streamsPerAddress) {
          throw tooMany(metrics, "streams", budgets.idleMs, budgets.streamsPerAddress);
        }
        const { streamsPerOrg = Number.POSITIVE_INFINITY } = budgets;
        if (orgId !== undefined && (orgs.get(orgId) ?? 0) >= streamsPerOrg) {
          throw tooMany(metrics, "streams of users of the organization", budgets.idleMs, streamsPerOrg);
        }
        streams += 1;
        client.streams += 1;
        if (orgId !== undefined) addTo(orgs, orgId, 1);
      }
      const entry: Entry = { ...ends, activeAt: performance.now(), blockedSince: undefined, isListening: false };
      entries.add(entry);
      timer ??= setInterval(sweep, Math.min(1_000, budgets.idleMs, budgets.receiveMs, budgets.pingMs)).unref();
      let messages = 0;
      return {
        countMessage() {
          const { messages: most, messageRate } = budgets;
          const now = performance.now();
          messages += 1;
          if (messages > most) throw tooMany(metrics, "messages on this stream", 0, most);
          if (isStreaming && !spend(client.messages, messageRate, now)) {
            throw tooMany(metrics, "messages", timeUntil(client.messages, messageRate), messageRate.burst);
          }
          entry.activeAt = now;
        },
        listen() {
          // HTTP/1.1 has no PING, so the call ends like an idle one.
          entry.isListening = entry.session !== undefined;
        },
        touch() {
          entry.activeAt = performance.now();
        },
        setBlocked(isBlocked) {
          entry.blockedSince = isBlocked ? performance.now() : undefined;
        },
        close() {
          if (!entries.delete(entry) || !isStreaming) return;
          streams -= 1;
          client.streams -= 1;
          if (orgId !== undefined) addTo(orgs, orgId, -1);
        },
      };
    },
    drain() {
      isDraining = true;
      for (const { endRequest } of entries) endRequest(draining());
    },
  };

  function sweep(): void {
    const now = performance.now();
    endIdle(entries, budgets, now);
    if (now - pingedAt >= budgets.pingMs) {
      pingedAt = now;
      endSilent(entries, unacknowledged);
      unacknowledged = ping(entries);
    }
    forgetIdle(addresses, budgets, now);
    if (entries.size > 0 || addresses.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}

function findAddress(addresses: Map<string, Address>, network: string, { messageRate }: StreamBudgets): Address {
  const known = addresses.get(network);
  if (known !== undefined) return known;
  const address = { streams: 0, messages: createBucket(messageRate, performance.now()) };
  addresses.set(network, address);
  return address;
}

/** Adds to a count. One of 0 is deleted. */
function addTo(counts: Map<string, number>, key: string, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** Ends the calls whose clients do not receive the response, or have sent nothing for too long. */
function endIdle(entries: ReadonlySet<Entry>, { receiveMs, idleMs }: StreamBudgets, now: number): void {
  for (const { blockedSince, isListening, activeAt, destroy, endRequest } of entries) {
    if (blockedSince !== undefined && now - blockedSince > receiveMs) destroy();
    else if (!isListening && now - activeAt > idleMs) endRequest();
  }
}

/** Ends the calls whose clients only listen, and have not acknowledged the last PING. */
function endSilent(entries: ReadonlySet<Entry>, unacknowledged: ReadonlySet<Http2Session>): void {
  for (const { isListening, session, destroy } of entries) {
    if (isListening && session !== undefined && unacknowledged.has(session)) destroy();
  }
}

/** Sends a PING to each client that only listens. The returned set keeps the sessions that do not acknowledge it. */
function ping(entries: ReadonlySet<Entry>): ReadonlySet<Http2Session> {
  const pinged = new Set<Http2Session>();
  for (const { isListening, session } of entries) {
    if (!isListening || session === undefined || pinged.has(session) || session.destroyed || session.closed) continue;
    if (session.ping((error) => error === null && pinged.delete(session))) pinged.add(session);
  }
  return pinged;
}

/** Forgets the addresses without open streams that have their full budget. */
function forgetIdle(addresses: Map<string, Address>, { messageRate }: StreamBudgets, now: number): void {
  for (const [network, { streams, messages }] of addresses) {
    if (streams === 0 && isFull(messages, messageRate, now)) addresses.delete(network);
  }
}

function tooMany(metrics: Metrics | undefined, what: string, retryAfterMs: number, limit: number): SignetError {
  metrics?.budgetExceeded("streams");
  return new SignetError("TOO_MANY_REQUESTS", `too many ${what}; try again later`, {
    retryAfterMs: Math.max(retryAfterMs, 1_000),
    metadata: { limit: String(limit) },
  });
}

/** The error of a stream that ends because the service shuts down. */
export function draining(): SignetError {
  return new SignetError("UNAVAILABLE", "the service is shutting down; connect again");
}
