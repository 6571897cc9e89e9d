import { setTimeout as delay } from "node:timers/promises";
import type { Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";
import type { EventFeed, FeedMembership } from "./event-feed.ts";
import type { EventFilter, Taken, WatchItem } from "./kept-events.ts";
import { type ListEventsParts, listInstanceEvents, listOrgEvents } from "./list-events.ts";
import { commonTypes, readableTypes } from "./read-permissions.ts";

/** The events that a call watches. */
export interface EventWatch {
  /** Events after this position; undefined for those that are recorded from now on. */
  readonly after: bigint | undefined;
  /** Undefined for all. */
  readonly types: readonly string[] | undefined;
}

export interface WatchEventsParts extends ListEventsParts {
  readonly feed: EventFeed;
  /** Bounds the searches of watchers for events that the feed no longer has. */
  readonly catchUp: <T>(search: () => Promise<T>) => Promise<T>;
  readonly heartbeatMs: number;
  /** How often a watcher checks whether its caller may still watch. */
  readonly recheckMs: number;
}

/** A call that watches. */
interface WatchCall {
  readonly call: Call<Principal>;
  readonly signal: AbortSignal;
  /** Resolves to the caller with its present roles. Throws SignetError if it may not watch any more. */
  readonly recheck: () => Promise<Principal>;
}

/** After an error of the database. */
const RETRY_MS = 1_000;
/** Items that are yielded at once. */
const YIELDED_AT_ONCE = 25;

/**
 * Yields the events of the organization of the call, or of all, as they are recorded, and heartbeats, in lists of a few
 * items: the events of objects that the caller may read. It takes the events from the feed, or from the database if the
 * feed no longer has them, and holds no more than it has yielded: a slow reader is held back. Ends when the signal is
 * aborted.
 *
 * While the database cannot be reached, it waits. No event is yielded more than `recheckMs` after the last successful
 * check of the caller.
 *
 * @throws SignetError of `recheck`, and for a failure of the database.
 */
export async function* watchEvents(
  parts: WatchEventsParts,
  scope: "org" | "instance",
  { after, types }: EventWatch,
  watch: WatchCall,
): AsyncGenerator<readonly WatchItem[], void> {
  const { heartbeatMs, recheckMs } = parts;
  const { signal } = watch;
  const feed = await parts.feed.join(signal);
  try {
    let position = after ?? feed.position();
    const check = createCheck(watch, recheckMs);
    let [call, filter] = [watch.call, toFilter(scope, types, watch.call)];
    let sentAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const taken =
        feed.take(position, filter) ??
        (await retry(() => search(parts, scope, { position, types, feed, call }), signal));
      if (taken === undefined || !(await check.mayContinue())) return;
      for (let at = 0; at < taken.items.length; at += YIELDED_AT_ONCE) {
        // The reader may have been held back meanwhile.
        if (at > 0 && !(await check.mayContinue())) return;
        if (check.call() !== call) break;
        const items = taken.items.slice(at, at + YIELDED_AT_ONCE);
        yield items;
        position = items.at(-1)?.position ?? position;
        sentAt = performance.now();
      }
      if (check.call() !== call) {
        // Other roles read other events: those that were not yielded are taken again.
        call = check.call();
        filter = toFilter(scope, types, call);
        continue;
      }
      if (taken.position > position) position = taken.position;
      if (taken.items.length > 0 || feed.position() > position) continue;
      const now = performance.now();
      if (now - sentAt >= heartbeatMs) {
        yield [{ position }];
        sentAt = performance.now();
        continue;
      }
      await feed.changed(Math.min(sentAt + heartbeatMs - now, check.dueInMs(now)));
    }
  } finally {
    feed.leave();
  }
}

function toFilter(scope: "org" | "instance", types: EventWatch["types"], call: Call): EventFilter {
  const readable = commonTypes(types, readableTypes(scope, call));
  return { orgId: scope === "org" ? call.orgId : undefined, types: readable && new Set(readable) };
}

/** Checks from time to time whether the caller may still watch, and with which roles. */
function createCheck({ call: first, recheck, signal }: WatchCall, recheckMs: number) {
  let checkedAt = performance.now();
  let call = first;
  return {
    /** The call with the roles of the last check: the same value as long as they are the same. */
    call: () => call,
    dueInMs: (now: number) => Math.max(1, checkedAt + recheckMs - now),
    /** Checks the caller if that is due, and returns whether the watch continues. Throws SignetError of `recheck`. */
    async mayContinue(): Promise<boolean> {
      if (performance.now() - checkedAt < recheckMs) return !signal.aborted;
      const caller = await retry(recheck, signal);
      if (caller === undefined) return false;
      if (!hasSameRoles(call, caller))
        call = { ...call, instanceRoles: caller.instanceRoles, orgRoles: caller.orgRoles };
      checkedAt = performance.now();
      return !signal.aborted;
    },
  };
}

function hasSameRoles(call: Principal, { instanceRoles, orgRoles }: Principal): boolean {
  return sameTexts(call.instanceRoles, instanceRoles) && sameTexts(call.orgRoles, orgRoles);
}

function sameTexts(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text) => others.includes(text));
}

/** Reads events that the feed no longer has. */
async function search(
  parts: WatchEventsParts,
  scope: "org" | "instance",
  at: {
    readonly position: bigint;
    readonly types: readonly string[] | undefined;
    readonly feed: FeedMembership;
    readonly call: Call;
  },
): Promise<Taken> {
  const list = scope === "org" ? listOrgEvents : listInstanceEvents;
  // What is settled only grows, so the search covers at least what the feed has read by now.
  const covered = at.feed.position();
  const query = { ascending: true, start: at.position, limit: 100, types: at.types };
  const { events, next } = await parts.catchUp(() => list(parts, query, at.call));
  const last = events.at(-1)?.position ?? 0n;
  const end = last > covered ? last : covered;
  const items = events.map((event) => ({ event, position: event.position }));
  return { items, position: next === 0n ? end : next };
}

/** Runs until the database can be reached; resolves to undefined if the watch ends before. */
async function retry<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof SignetError) || error.code !== "unavailable") throw error;
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}
