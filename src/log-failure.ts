import type { Logger } from "pino";

interface Failure {
  readonly err: unknown;
  readonly requestId?: string;
}

const PERIOD_MS = 1_000;
/** Kinds per logger. Failures of additional kinds share one line. */
const MAX_KINDS = 100;
const MAX_KIND_LENGTH = 300;
/** The number of nested causes that distinguish kinds. */
const MAX_DEPTH = 3;

/** Failures of one kind that were not logged in this period. */
interface Repeated {
  count: number;
  last: Failure;
}

const REPEATED = new WeakMap<Logger, Map<string, Repeated>>();

/**
 * Logs a failure, but not every repetition: the first of its kind immediately, with its stack; repetitions in one line
 * per second, with their number as `repeated`, until a second passes without one.
 *
 * Two failures are of the same kind if the level, the message, and the names, codes and messages of their errors are
 * equal.
 */
export function logFailure(log: Logger, level: "warn" | "error", failure: Failure, message: string): void {
  const kinds = kindsOf(log);
  const name = describeError(failure.err);
  const ownKind = `${level} ${message} ${name}`;
  const kind = kinds.has(ownKind) || kinds.size < MAX_KINDS ? ownKind : level;
  const repeated = kinds.get(kind);
  if (repeated !== undefined) {
    repeated.count += 1;
    repeated.last = failure;
    return;
  }
  const first: Repeated = { count: 0, last: failure };
  kinds.set(kind, first);
  log[level](failure, message);
  const timer = setInterval(() => {
    if (first.count === 0) {
      clearInterval(timer);
      kinds.delete(kind);
      return;
    }
    const { requestId, err } = first.last;
    log[level]({ requestId, repeated: first.count, failure: describeError(err) }, message);
    first.count = 0;
  }, PERIOD_MS).unref();
}

function kindsOf(log: Logger): Map<string, Repeated> {
  let kinds = REPEATED.get(log);
  if (kinds === undefined) {
    kinds = new Map();
    REPEATED.set(log, kinds);
  }
  return kinds;
}

/** The error and its causes in one line, without stacks. */
function describeError(error: unknown): string {
  const parts: string[] = [];
  for (let current = error; current !== undefined && parts.length < MAX_DEPTH; ) {
    if (!(current instanceof Error)) {
      parts.push(String(current));
      break;
    }
    const code = "code" in current ? ` ${current.code}` : "";
    parts.push(`${current.name}${code}: ${current.message}`);
    current = current.cause;
  }
  return parts.join("; caused by ").slice(0, MAX_KIND_LENGTH);
}
