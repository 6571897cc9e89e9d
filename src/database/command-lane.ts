import assert from "node:assert/strict";
import { UNCONFIRMED } from "../call.ts";
import { SignetError } from "../errors.ts";
import { type Command, isAwaited, isSameLookup, rejectCommand, rejectGone } from "./command.ts";
import { MAX_COMMANDS } from "./command-list.ts";
import { hasRolledBack, toSignetError } from "./failure.ts";

/** The commands of one kind and one organization: those that wait, and those in flight. */
export interface CommandLane extends LaneOptions {
  /**
   * - `resting`: nothing waits, or what waits may not start yet.
   * - `opening`: a statement waits for a connection, and takes what waits when it gets one.
   */
  phase: "resting" | "opening";
  /** In order of arrival. */
  waiting: Command[];
  readonly inFlight: Set<Batch>;
  /**
   * The most commands of the next statement. Halved when a statement fails, and doubled when one succeeds, because
   * sharing does not pay off for commands that often fail.
   */
  most: number;
  /** When a statement last started or ended, by `performance.now`. */
  progressAt: number;
}

interface LaneOptions {
  /** See `CommandKind`. */
  readonly isReading: boolean;
  /** Shared by all lanes of the process. */
  readonly backlog: Backlog;
  /** Called when a command is rejected because too many others are waiting. */
  readonly onRefused: () => void;
}

/** The size of the waiting commands. */
interface Backlog {
  commands: number;
  characters: number;
}

/** The commands of one statement in flight. */
export interface Batch {
  readonly commands: readonly Command[];
  readonly keys: ReadonlySet<string>;
  readonly takenAt: number;
}

/** The outcome of a statement. */
export type Outcome =
  /** The row of each command, by position. */
  | { readonly kind: "rows"; readonly rows: readonly unknown[] }
  /** It wrote nothing: one of its callers is no longer as remembered, or it found nothing to change. */
  | { readonly kind: "unconfirmed" }
  | { readonly kind: "failed"; readonly error: unknown };

/**
 * Statements of a lane in flight. With one, the database would be idle while responses are sent. With more, each has
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
 * A statement that takes longer, for instance because a row is locked, does not count, so the rest of the lane can
 * continue.
 */
const SLOW_MS = 250;
/** The maximum number of in-flight statements of a lane, including slow ones: half of the connections by default. */
const MAX_RUNNING = 8;
/** The maximum number of waiting commands of a lane: enough for eight statements, which take less than a second. */
const MAX_WAITING = 1_024;
/** The maximum total size of a process's waiting commands. A command usually takes 1 kB. */
const MAX_BACKLOG: Readonly<Backlog> = { commands: 4_096, characters: 32 * 1_024 * 1_024 };
/** The maximum length of the list of commands in one statement, in characters. A single command may be longer. */
const MAX_CHARACTERS = 256 * 1_024;
/** The longest wait, and the time without progress after which new commands are rejected, as in the query limiter. */
const MAX_WAIT_MS = 5_000;
const MAX_STALL_MS = 2_000;
const RETRY_AFTER_MS = 1_000;

export function createLane(options: LaneOptions): CommandLane {
  return {
    ...options,
    phase: "resting",
    waiting: [],
    inFlight: new Set(),
    most: MAX_COMMANDS,
    progressAt: performance.now(),
  };
}

/**
 * Adds a command, or joins an identical waiting command that only reads.
 *
 * @throws SignetError UNAVAILABLE if too many commands wait.
 */
export function addCommand(lane: CommandLane, command: Command): void {
  const same = lane.isReading ? lane.waiting.find((other) => isSameLookup(other, command)) : undefined;
  if (same !== undefined) return void same.waiters.push(...command.waiters);
  if (isFull(lane)) sweepLane(lane);
  if (isFull(lane) || isStalled(lane)) throw tooBusy(lane);
  count(lane, command, 1);
  lane.waiting.push(command);
}

/** Whether a statement may start to wait for a connection. */
export function mayOpen(lane: CommandLane): boolean {
  return hasRoom(lane) && hasNext(lane);
}

/** A statement waits for a connection. */
export function open(lane: CommandLane): void {
  enterPhase(lane, "opening");
}

/** The statement has a connection, and takes the commands that wait. */
export function take(lane: CommandLane): Batch {
  const batch = removeNext(lane);
  lane.inFlight.add(batch);
  return batch;
}

/** The statement gets no connection: nothing waits any longer, or what waits is rejected. */
export function giveUp(lane: CommandLane, error: unknown): void {
  if (error === NOTHING_WAITS) enterPhase(lane, "resting");
  else fail(lane, removeNext(lane), toSignetError(error));
}

/** The statement has ended: each of its commands gets its row or its error, or runs again by itself. */
export function end(lane: CommandLane, batch: Batch, outcome: Outcome): void {
  assert(lane.inFlight.delete(batch), "the statement is not in flight");
  lane.progressAt = performance.now();
  switch (outcome.kind) {
    case "rows":
      lane.most = Math.min(MAX_COMMANDS, lane.most * 2);
      for (const [index, { waiters }] of batch.commands.entries()) {
        for (const { resolve } of waiters) resolve(outcome.rows[index]);
      }
      break;
    case "unconfirmed":
      fail(lane, batch, UNCONFIRMED);
      break;
    case "failed":
      fail(lane, batch, outcome.error);
      break;
    default:
      outcome satisfies never;
  }
}

/** Rejects commands that have waited too long, or whose callers have disconnected. */
export function sweepLane(lane: CommandLane): void {
  dismiss(lane, performance.now() - MAX_WAIT_MS);
}

export function isIdle({ phase, waiting, inFlight }: CommandLane): boolean {
  return phase === "resting" && waiting.length === 0 && inFlight.size === 0;
}

/** Thrown instead of granting a connection to a statement without commands. */
const NOTHING_WAITS = new Error("no command waits for the statement");

/** Throws if a statement of the lane no longer needs a connection. */
export function throwIfNothingWaits(lane: CommandLane): void {
  if (!hasNext(lane)) throw NOTHING_WAITS;
}

function enterPhase(lane: CommandLane, phase: CommandLane["phase"]): void {
  assert.notEqual(lane.phase, phase, `the lane is already ${phase}`);
  lane.phase = phase;
}

function hasRoom({ phase, inFlight, waiting }: CommandLane): boolean {
  if (phase === "opening" || inFlight.size >= MAX_RUNNING) return false;
  const now = performance.now();
  const counted = [...inFlight].filter(({ takenAt }) => now - takenAt < SLOW_MS).length;
  return counted < (waiting[0]?.isAlone ? MAX_ALONE_IN_FLIGHT : MAX_IN_FLIGHT);
}

function hasNext(lane: CommandLane): boolean {
  return select(lane, 1).length > 0;
}

function isFull({ waiting, backlog }: CommandLane): boolean {
  return (
    waiting.length >= MAX_WAITING ||
    backlog.commands >= MAX_BACKLOG.commands ||
    backlog.characters >= MAX_BACKLOG.characters
  );
}

function isStalled(lane: CommandLane): boolean {
  return lane.waiting.length > 0 && !hasRoom(lane) && performance.now() - lane.progressAt > MAX_STALL_MS;
}

/** Removes the commands of the next statement. */
function removeNext(lane: CommandLane): Batch {
  enterPhase(lane, "resting");
  dismiss(lane, 0);
  const commands = select(lane, lane.most);
  const taken = new Set(commands);
  lane.waiting = lane.waiting.filter((command) => !taken.has(command));
  for (const command of commands) count(lane, command, -1);
  const keys = new Set(lane.isReading ? [] : commands.flatMap((command) => command.keys));
  lane.progressAt = performance.now();
  return { commands, keys, takenAt: lane.progressAt };
}

/**
 * The commands for the next statement, in order of arrival: no two with a common key, and none with a key in flight. If
 * one stays, later ones with its keys stay too. Commands whose callers have disconnected are skipped.
 */
function select({ waiting, inFlight }: CommandLane, most: number): Command[] {
  const selected: Command[] = [];
  const taken = new Set<string>();
  let characters = 0;
  for (const command of waiting) {
    const isFirst = selected.length === 0;
    if (selected.length >= most || (!isFirst && command.isAlone)) break;
    if (!isAwaited(command)) continue;
    const isFree = !command.keys.some((key) => taken.has(key) || isInFlight(inFlight, key));
    for (const key of command.keys) taken.add(key);
    if (!isFree) continue;
    characters += command.json.length;
    if (!isFirst && characters > MAX_CHARACTERS) break;
    selected.push(command);
    if (command.isAlone) break;
  }
  return selected;
}

function isInFlight(inFlight: ReadonlySet<Batch>, key: string): boolean {
  for (const { keys } of inFlight) if (keys.has(key)) return true;
  return false;
}

/** Rejects the commands of a statement, or has each of them run in a separate statement, ahead of all others. */
function fail(lane: CommandLane, { commands }: Batch, error: unknown): void {
  if (commands.length === 1 || !(error === UNCONFIRMED || hasRolledBack(error))) {
    for (const command of commands) rejectCommand(command, error);
    return;
  }
  lane.most = Math.ceil(commands.length / 2);
  for (const command of commands) {
    command.isAlone = true;
    count(lane, command, 1);
  }
  lane.waiting.unshift(...commands);
}

/** Rejects waiting commands that nobody waits for any longer, and those that have waited since before this time. */
function dismiss(lane: CommandLane, earliest: number): void {
  lane.waiting = lane.waiting.filter((command) => {
    rejectGone(command);
    const isLate = command.since < earliest;
    if (isLate) rejectCommand(command, tooBusy(lane));
    if (!isLate && command.waiters.length > 0) return true;
    count(lane, command, -1);
    return false;
  });
}

/** Adds a waiting command to the backlog, or removes it. */
function count({ backlog }: CommandLane, { json, idempotency }: Command, sign: 1 | -1): void {
  backlog.commands += sign;
  backlog.characters += sign * (json.length + (idempotency?.length ?? 0));
}

function tooBusy({ onRefused }: CommandLane): SignetError {
  onRefused();
  return new SignetError("UNAVAILABLE", "the service is busy; try again", { retryAfterMs: RETRY_AFTER_MS });
}
