import { type QueryCaller, UNCONFIRMED } from "../call.ts";
import { SignetError } from "../errors.ts";
import { MAX_COMMANDS } from "./command-list.ts";
import { type Backlog, createCommandQueue, type Entry, isWaiting, rejectIfGone } from "./command-queue.ts";
import { hasRolledBack } from "./failure.ts";

/** The waiting commands of one kind and one organization, and their in-flight statements. */
export interface CommandGroup {
  /** Adds a command, or joins an identical waiting command that only reads. Throws SignetError UNAVAILABLE. */
  add(command: NewCommand): void;
  /**
   * Rejects commands that have waited too long or whose callers have disconnected, and lets the group continue after
   * slow statements.
   */
  sweep(): void;
  isIdle(): boolean;
}

export interface NewCommand extends Pick<Entry, "keys" | "fitsShortForm" | "remembered" | "waiters"> {
  toJson(): string;
}

/**
 * Runs one statement, which calls `take` once it has a connection. Resolves to the row of each command that `take`
 * returned.
 */
export type Send = (take: () => readonly Entry[], caller: QueryCaller) => Promise<readonly unknown[]>;

/**
 * Statements of a group in flight. With one, the database would be idle while responses are sent. With more, each has
 * fewer commands. With 32 imports in flight, the CPU time of server and PostgreSQL per call was 0.8 to 0.9 × with one,
 * and 1.1 to 1.25 × with three; with 128, 0.84 to 0.93 × and 0.85 to 0.97 ×. Differences in calls per second were
 * within the noise (two runs on a busy machine with two cores). Four statements that share the waiting commands evenly
 * leave the cores less idle (16 instead of 22 %), but take 1.2 × the CPU time: a statement costs PostgreSQL 430 µs, and
 * each import in it 115 µs.
 */
const MAX_IN_FLIGHT = 2;
/** The same limit while the commands of a failed statement run one by one. */
const MAX_ALONE_IN_FLIGHT = 4;
/**
 * A statement that takes longer, for instance because a row is locked, does not count, so the rest of the group can
 * continue.
 */
const SLOW_MS = 250;
/** The maximum number of in-flight statements of a group, including slow ones: half of the connections by default. */
const MAX_RUNNING = 8;
/** The maximum number of waiting commands of a group: enough for eight statements, which take less than a second. */
const MAX_WAITING_IN_GROUP = 1_024;
/** The maximum total size of a process's waiting commands. A command usually takes 1 kB. */
const MAX_BACKLOG: Readonly<Backlog> = { commands: 4_096, characters: 32 * 1_024 * 1_024 };
/** The longest wait, and the time without progress after which new commands are rejected, as in the query limiter. */
const MAX_WAIT_MS = 5_000;
const MAX_STALL_MS = 2_000;
const RETRY_AFTER_MS = 1_000;

/** Thrown instead of sending a statement without commands. */
const NO_CALLER = new Error("no caller waits for the statement");

/**
 * @param isReading See `CommandKind`.
 * @param onRefused Called when a command is rejected because too many others are waiting.
 */
export function createCommandGroup(
  send: Send,
  isReading: boolean,
  backlog: Backlog,
  onRefused: () => void = () => {},
): CommandGroup {
  const queue = createCommandQueue(backlog);
  const running = new Set<{ readonly since: number }>();
  /** The keys of the in-flight commands. */
  const busy = new Set<string>();
  /** Whether a statement waits for a connection before it takes its commands. */
  let isOpening = false;
  let progressAt = performance.now();
  /**
   * Halved when a statement fails, and doubled when one succeeds, because sharing does not pay off for commands that
   * often fail.
   */
  let most = MAX_COMMANDS;

  function mayStart(): boolean {
    if (isOpening || running.size >= MAX_RUNNING) return false;
    const now = performance.now();
    const counted = [...running].filter(({ since }) => now - since < SLOW_MS).length;
    return counted < (queue.isNextAlone() ? MAX_ALONE_IN_FLIGHT : MAX_IN_FLIGHT);
  }

  function startNext(): void {
    if (mayStart() && queue.hasNext(busy)) void run();
  }

  async function run(): Promise<void> {
    isOpening = true;
    const statement = { since: 0 };
    let taken: readonly Entry[] | undefined;
    const take = () => {
      if (taken !== undefined) return taken;
      isOpening = false;
      taken = queue.take(most, busy);
      if (!isReading) for (const key of taken.flatMap(({ keys }) => keys)) busy.add(key);
      progressAt = statement.since = performance.now();
      running.add(statement);
      startNext();
      return taken;
    };
    const caller = {
      throwIfOver() {
        if (!(taken?.some(isWaiting) ?? queue.hasNext(busy))) throw NO_CALLER;
      },
    };
    try {
      const rows = await send(take, caller);
      most = Math.min(MAX_COMMANDS, most * 2);
      for (const [index, { waiters }] of take().entries()) {
        for (const { resolve } of waiters) resolve(rows[index]);
      }
    } catch (error) {
      if (error === NO_CALLER) {
        if (taken === undefined) isOpening = false;
        taken?.forEach(rejectIfGone);
      } else {
        fail(take(), error);
      }
    }
    running.delete(statement);
    for (const key of taken?.flatMap(({ keys }) => keys) ?? []) busy.delete(key);
    progressAt = performance.now();
    startNext();
  }

  function fail(entries: readonly Entry[], error: unknown): void {
    if (entries.length > 1 && (error === UNCONFIRMED || hasRolledBack(error))) {
      most = Math.ceil(entries.length / 2);
      queue.addAlone(entries);
      return;
    }
    for (const { reject } of entries.flatMap(({ waiters }) => waiters)) reject(error);
  }

  function isFull(): boolean {
    return (
      queue.size() >= MAX_WAITING_IN_GROUP ||
      backlog.commands >= MAX_BACKLOG.commands ||
      backlog.characters >= MAX_BACKLOG.characters
    );
  }

  function isStalled(): boolean {
    return queue.size() > 0 && !mayStart() && performance.now() - progressAt > MAX_STALL_MS;
  }

  function sweep(): void {
    const earliest = performance.now() - MAX_WAIT_MS;
    queue.sweep(({ since }) => (since < earliest ? tooBusy() : undefined));
    startNext();
  }

  function tooBusy(): SignetError {
    onRefused();
    return new SignetError("UNAVAILABLE", "the service is busy; try again", { retryAfterMs: RETRY_AFTER_MS });
  }

  return {
    add({ toJson, ...command }) {
      const { keys, waiters } = command;
      const same = isReading ? queue.find(keys[0] ?? "") : undefined;
      if (same !== undefined) return void same.waiters.push(...waiters);
      if (isFull()) sweep();
      if (isFull() || isStalled()) throw tooBusy();
      queue.add({ ...command, json: toJson(), since: performance.now(), isAlone: false });
      startNext();
    },
    sweep,
    isIdle: () => queue.size() === 0 && running.size === 0 && !isOpening,
  };
}
