import { ConfigError } from "../../config/config-error.ts";
import { type Failure, readFailure } from "../read-failure.ts";
import { createPace, type Pace } from "./pace.ts";

/** What the calls of a run share. */
export interface Patience {
  readonly pace: Pace;
  /** Ends waiting. */
  readonly stopped: AbortSignal;
  /** When a call last succeeded, by `performance.now()`. */
  lastSuccess: number;
}

/** After this time without any success, the run stops. */
const LONGEST_OUTAGE_MS = 5 * 60_000;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;

/** @param most The most calls at once. */
export function createPatience(most: number, stopped: AbortSignal): Patience {
  return { pace: createPace(most), stopped, lastSuccess: performance.now() };
}

/** The run was stopped while a call waited to be repeated. */
export class Stopped extends Error {}

/**
 * Makes a call, and repeats it while the server is out of reach or has too much to do, also if the change may have been made: the
 * call has an idempotency key, or only reads.
 *
 * @returns The response, or why the request is refused.
 * @throws ConfigError if no call can succeed; Stopped.
 */
export async function callPatiently<T>(patience: Patience, call: () => Promise<T>): Promise<T | Failure> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await attemptAtPace(patience, call);
    if (!isFailure(failure)) return failure;
    if (failure.kind === "call") return failure;
    if (failure.kind === "run") throw new ConfigError(describeFailure(failure));
    if (performance.now() - patience.lastSuccess > LONGEST_OUTAGE_MS) {
      throw new ConfigError(`no call has succeeded for five minutes: ${describeFailure(failure)}`);
    }
    await pause(patience.stopped, Math.max(failure.retryDelayMs, backoff(attempt)));
  }
}

/**
 * Makes a call that only reads, as `callPatiently` does.
 *
 * @throws ConfigError also if the request is refused; Stopped.
 */
export async function readPatiently<T extends object>(patience: Patience, call: () => Promise<T>): Promise<T> {
  const response = await callPatiently(patience, call);
  if (isFailure(response)) throw new ConfigError(describeFailure(response));
  return response;
}

export function describeFailure({ message, reason }: Failure): string {
  return reason === undefined ? message : `${message} (${reason})`;
}

/** Makes a call once there is room for it. */
async function attemptAtPace<T>(patience: Patience, call: () => Promise<T>): Promise<T | Failure> {
  const { pace, stopped } = patience;
  await pace.enter();
  let result: Parameters<typeof pace.leave>[0] = "neither";
  try {
    if (stopped.aborted) throw new Stopped();
    const response = await call();
    patience.lastSuccess = performance.now();
    result = "done";
    return response;
  } catch (error) {
    if (error instanceof Stopped) throw error;
    const failure = readFailure(error);
    if (failure.kind === "later") result = "slow down";
    // The server works.
    if (failure.kind === "call") patience.lastSuccess = performance.now();
    return failure;
  } finally {
    pace.leave(result);
  }
}

export function isFailure(response: unknown): response is Failure {
  return typeof response === "object" && response !== null && "violations" in response && "retryDelayMs" in response;
}

/** Grows with the attempts, with a random part, so that calls are not repeated at the same time. */
function backoff(attempt: number): number {
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS);
  return longest / 2 + (Math.random() * longest) / 2;
}

function pause(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new Stopped());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
