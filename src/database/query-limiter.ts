import type { QueryCaller } from "../call.ts";
import { SignetError } from "../errors.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/**
 * RPCs and background work use `calls`; their lists and searches, which may take long, use `lists`; pages, which do not
 * require a token, use `pages`.
 */
export type Lane = "calls" | "lists" | "pages";

/** Releases a connection. Must be called exactly once. */
export type Leave = () => void;

/** Limits how many connections are in use, how many queries wait for one, and for how long. */
export interface QueryLimiter {
  /**
   * Resolves when the lane may use one more connection.
   *
   * @throws SignetError UNAVAILABLE if the wait is, or is expected to be, too long; the error of `throwIfOver` if the
   *   caller has disconnected.
   */
  enter(lane: Lane, caller?: QueryCaller): Promise<Leave>;
  /** For each lane, the number of queries that use a connection and the number that wait for one. */
  state(): Readonly<Record<Lane, { readonly running: number; readonly waiting: number }>>;
}

/**
 * Waiters per connection. A statement takes 1 to 4 ms, so 64 of them take at most a quarter of a second. Each waiter
 * keeps its request in memory: with 16 connections, up to 1,024 calls, and 256 lists and pages for 4 of the connections.
 */
const WAITERS_PER_CONNECTION = 64;
/** Lists get one in this many connections, and so do pages; at least one each. */
const SHARE = 4;
/** The longest wait: a third of the default REQUEST_TIMEOUT_MS. Callers with shorter deadlines give up earlier. */
const MAX_WAIT_MS = 5_000;
/**
 * If no connection has become free for this long, no new caller may wait, because the database or its network is
 * hanging.
 */
const MAX_STALL_MS = 2_000;
/** A lane is overloaded if more than this fraction of its waiters was not served in time during the last period. */
const MAX_LOST = 0.1;
const PERIOD_MS = 1_000;
const SWEEP_MS = 100;
const RETRY_AFTER_MS = 1_000;
/** Weight of the latest sample in the moving average of the time between free connections. */
const SAMPLE_WEIGHT = 1 / 16;

interface Waiter {
  readonly caller: QueryCaller | undefined;
  readonly since: number;
  readonly admit: (leave: Leave) => void;
  readonly refuse: (error: unknown) => void;
}

interface LaneState {
  /** Called when a query is rejected because too many others are waiting. */
  readonly onRefused: () => void;
  readonly maxRunning: number;
  readonly maxWaiting: number;
  running: number;
  /** In order of arrival. */
  waiting: Waiter[];
  /** When a connection last became free for the current queue, or when the queue started. */
  progressAt: number;
  /** Moving average of the time between two free connections since the current queue started; 0 at first. */
  meanTurnoverMs: number;
  isOverloaded: boolean;
  /** How many waiters have been served in time since the start of the period, and how many have not. */
  served: number;
  lost: number;
  periodBeganAt: number;
}

/**
 * Creates the limiter in front of a pool of this many connections.
 *
 * The lanes take turns for free connections, and lists and pages never use more than their share, so however slow they
 * are, connections are left for the others. Each lane is first in, first out
 * until it is overloaded. From then on, that order would serve each caller just before its deadline, and none in time,
 * so the newest is served first, and the oldest is rejected when the queue is full (B. Maurer, "Fail at Scale", ACM
 * Queue 13(8), 2015: adaptive LIFO).
 */
export function createQueryLimiter(connections: number, metrics?: Metrics): QueryLimiter {
  const share = Math.max(1, Math.floor(connections / SHARE));
  const lanes: Record<Lane, LaneState> = {
    calls: createLane(connections, () => metrics?.budgetExceeded("database_calls")),
    lists: createLane(share, () => metrics?.budgetExceeded("database_lists")),
    pages: createLane(share, () => metrics?.budgetExceeded("database_pages")),
  };
  /** The lane whose turn it is comes first. */
  const turns = Object.values(lanes);
  let running = 0;
  let sweeper: NodeJS.Timeout | undefined;

  function hasRoom(lane: LaneState): boolean {
    return running < connections && lane.running < lane.maxRunning;
  }

  function begin(lane: LaneState, waiter?: Waiter): Leave {
    running += 1;
    lane.running += 1;
    return () => {
      running -= 1;
      lane.running -= 1;
      if (lane.waiting.length > 0) noteTurnover(lane);
      if (waiter !== undefined) lane[errorIfOver(waiter.caller) === undefined ? "served" : "lost"] += 1;
      admitWaiting();
    };
  }

  function admitWaiting(): void {
    for (;;) {
      const lane = turns.find((one) => one.waiting.length > 0 && hasRoom(one));
      if (lane === undefined) return;
      const waiter = takeNext(lane);
      if (waiter === undefined) continue;
      turns.push(...turns.splice(0, turns.indexOf(lane) + 1));
      waiter.admit(begin(lane, waiter));
    }
  }

  function sweep(): void {
    const now = performance.now();
    for (const lane of turns) {
      lane.waiting = lane.waiting.filter((waiter) => !refuseIfGone(lane, waiter) && !refuseIfLate(lane, waiter, now));
      const isEmpty = lane.waiting.length === 0;
      if (!isEmpty && now - lane.periodBeganAt < PERIOD_MS) continue;
      lane.isOverloaded = !isEmpty && lane.lost > MAX_LOST * (lane.served + lane.lost);
      Object.assign(lane, { served: 0, lost: 0, periodBeganAt: now });
    }
    if (turns.some(({ waiting }) => waiting.length > 0)) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  const stateOf = ({ running, waiting }: LaneState) => ({ running, waiting: waiting.length });

  return {
    state: () => ({ calls: stateOf(lanes.calls), lists: stateOf(lanes.lists), pages: stateOf(lanes.pages) }),
    async enter(name, caller) {
      caller?.throwIfOver();
      const lane = lanes[name];
      if (lane.waiting.length === 0 && hasRoom(lane)) return begin(lane);
      makeRoom(lane);
      sweeper ??= setInterval(sweep, SWEEP_MS).unref();
      const since = performance.now();
      if (lane.waiting.length === 0) Object.assign(lane, { progressAt: since, meanTurnoverMs: 0 });
      return new Promise((admit, refuse) => lane.waiting.push({ caller, since, admit, refuse }));
    },
  };
}

function createLane(maxRunning: number, onRefused: () => void): LaneState {
  return {
    onRefused,
    maxRunning,
    maxWaiting: maxRunning * WAITERS_PER_CONNECTION,
    running: 0,
    waiting: [],
    progressAt: 0,
    meanTurnoverMs: 0,
    isOverloaded: false,
    served: 0,
    lost: 0,
    periodBeganAt: 0,
  };
}

function noteTurnover(lane: LaneState): void {
  const now = performance.now();
  lane.meanTurnoverMs += (now - lane.progressAt - lane.meanTurnoverMs) * SAMPLE_WEIGHT;
  lane.progressAt = now;
}

/**
 * Makes room in the queue for one more waiter.
 *
 * @throws SignetError if the wait is expected to be too long.
 */
function makeRoom(lane: LaneState): void {
  if (lane.waiting.length === 0) return;
  const ahead = lane.isOverloaded ? 0 : lane.waiting.length;
  if ((ahead + 1) * lane.meanTurnoverMs > MAX_WAIT_MS) throw tooBusy(lane);
  if (performance.now() - lane.progressAt > MAX_STALL_MS) throw tooBusy(lane);
  if (lane.waiting.length < lane.maxWaiting) return;
  if (!lane.isOverloaded) throw tooBusy(lane);
  const oldest = lane.waiting.shift();
  if (oldest !== undefined) lose(lane, oldest, tooBusy(lane));
}

/** Removes the next waiter whose caller is still connected. */
function takeNext(lane: LaneState): Waiter | undefined {
  for (;;) {
    const waiter = lane.isOverloaded ? lane.waiting.pop() : lane.waiting.shift();
    if (waiter === undefined || !refuseIfGone(lane, waiter)) return waiter;
  }
}

function refuseIfGone(lane: LaneState, waiter: Waiter): boolean {
  const gone = errorIfOver(waiter.caller);
  if (gone !== undefined) lose(lane, waiter, gone.error);
  return gone !== undefined;
}

function refuseIfLate(lane: LaneState, waiter: Waiter, now: number): boolean {
  const isLate = now - waiter.since > MAX_WAIT_MS;
  if (isLate) lose(lane, waiter, tooBusy(lane));
  return isLate;
}

function lose(lane: LaneState, { refuse }: Waiter, error: unknown): void {
  lane.lost += 1;
  refuse(error);
}

/** The error of `throwIfOver`; undefined while the caller waits. */
export function errorIfOver(caller: QueryCaller | undefined): { readonly error: unknown } | undefined {
  try {
    caller?.throwIfOver();
    return undefined;
  } catch (error) {
    return { error };
  }
}

function tooBusy({ onRefused }: LaneState): SignetError {
  onRefused();
  return new SignetError("UNAVAILABLE", "the service is busy; try again", { retryAfterMs: RETRY_AFTER_MS });
}
