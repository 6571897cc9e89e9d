import type { QueryCaller, RememberedCaller } from "../call.ts";
import type { Span } from "../telemetry/span.ts";
import { errorIfOver } from "./query-limiter.ts";

/** Waits for the response to a command. */
export interface Waiter {
  readonly caller: QueryCaller | undefined;
  /** The span from the arrival of the command to its response; undefined if the call is not recorded. */
  readonly span?: Span | undefined;
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A waiting or sent command. */
export interface Entry {
  readonly json: string;
  /** What the command writes; see `CommandKind`. */
  readonly keys: readonly string[];
  /** See `CommandKind`. */
  readonly fitsShortForm: boolean;
  /** The caller that the statement confirms; undefined if no statement needs to. */
  readonly remembered: RememberedCaller | undefined;
  readonly since: number;
  /** One waiter, or several with identical commands that only read. */
  waiters: Waiter[];
  /** Whether it runs in a separate statement, because a shared one has failed. */
  isAlone: boolean;
}

/** The size of the waiting commands in the queues that share this object. */
export interface Backlog {
  commands: number;
  characters: number;
}

/** The maximum length of the list of commands in one statement, in characters. A single command may be longer. */
const MAX_CHARACTERS = 256 * 1_024;

/** The commands of one kind and group that wait for a statement, in order of arrival. */
export interface CommandQueue {
  size(): number;
  /** Whether the next command runs in a separate statement. */
  isNextAlone(): boolean;
  add(entry: Entry): void;
  /** Puts the commands of a failed statement ahead of all others. */
  addAlone(entries: readonly Entry[]): void;
  /** The most recently added command with this first key, if it is still waiting. */
  find(key: string): Entry | undefined;
  /**
   * Removes and returns the commands for the next statement in order of arrival: at most this many, and no two with a
   * common key. Commands with a key in `busy` stay. Commands whose callers have disconnected are rejected.
   */
  take(most: number, busy: ReadonlySet<string>): Entry[];
  /** Whether `take` would return a command. */
  hasNext(busy: ReadonlySet<string>): boolean;
  /**
   * Rejects and removes the commands whose callers have disconnected, and those for which `toError` returns an error.
   */
  sweep(toError: (entry: Entry) => unknown): void;
}

export function createCommandQueue(backlog: Backlog): CommandQueue {
  let waiting: Entry[] = [];
  const byKey = new Map<string, Entry>();

  function remove(entry: Entry): void {
    const [key = ""] = entry.keys;
    if (byKey.get(key) === entry) byKey.delete(key);
    backlog.commands -= 1;
    backlog.characters -= entry.json.length;
  }

  function count(entry: Entry): void {
    byKey.set(entry.keys[0] ?? "", entry);
    backlog.commands += 1;
    backlog.characters += entry.json.length;
  }

  function sweep(toError: (entry: Entry) => unknown): void {
    waiting = waiting.filter((entry) => {
      const error = toError(entry);
      if (error !== undefined) for (const { reject } of entry.waiters) reject(error);
      else if (!rejectIfGone(entry)) return true;
      remove(entry);
      return false;
    });
  }

  return {
    size: () => waiting.length,
    isNextAlone: () => waiting[0]?.isAlone === true,
    add(entry) {
      count(entry);
      waiting.push(entry);
    },
    addAlone(entries) {
      for (const entry of entries) {
        count(entry);
        entry.isAlone = true;
      }
      waiting.unshift(...entries);
    },
    find: (key) => byKey.get(key),
    take(most, busy) {
      sweep(() => undefined);
      const taken = select(waiting, most, busy);
      for (const entry of taken) remove(entry);
      const isTaken = new Set(taken);
      waiting = waiting.filter((entry) => !isTaken.has(entry));
      return taken;
    },
    hasNext: (busy) => select(waiting, 1, busy).length > 0,
    sweep,
  };
}

/**
 * The commands for the next statement. Commands with a common key keep their order: if one stays, the ones after it
 * stay too.
 */
function select(waiting: readonly Entry[], most: number, busy: ReadonlySet<string>): Entry[] {
  const selected: Entry[] = [];
  const taken = new Set(busy);
  let characters = 0;
  for (const entry of waiting) {
    const isFirst = selected.length === 0;
    if (selected.length >= most || (!isFirst && entry.isAlone)) break;
    if (!isWaiting(entry)) continue;
    const isFree = !entry.keys.some((key) => taken.has(key));
    for (const key of entry.keys) taken.add(key);
    if (!isFree) continue;
    characters += entry.json.length;
    if (!isFirst && characters > MAX_CHARACTERS) break;
    selected.push(entry);
    if (entry.isAlone) break;
  }
  return selected;
}

/** Whether a caller is still waiting for the response. */
export function isWaiting({ waiters }: Entry): boolean {
  return waiters.some((waiter) => errorIfOver(waiter.caller) === undefined);
}

/** Rejects the waiters whose callers have disconnected. Returns whether none is left. */
export function rejectIfGone(entry: Entry): boolean {
  entry.waiters = entry.waiters.filter((waiter) => {
    const gone = errorIfOver(waiter.caller);
    if (gone !== undefined) waiter.reject(gone.error);
    return gone === undefined;
  });
  return entry.waiters.length === 0;
}
