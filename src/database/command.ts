import type { QueryCaller, RememberedCaller } from "../call.ts";
import type { Span } from "../telemetry/span.ts";
import { errorIfOver } from "./query-limiter.ts";

/** The sizes of the forms of a statement, each of which has all parts of the smaller ones; see `prepareListWrite`. */
export const FORM_SIZES = ["short", "usual", "whole"] as const;
export type FormSize = (typeof FORM_SIZES)[number];

/** A command that waits for a statement, or is in one. */
export interface Command {
  readonly json: string;
  /** What the command writes; see `CommandKind`. */
  readonly keys: readonly string[];
  /** See `CommandKind`. */
  readonly size: FormSize;
  /** The caller that the statement must confirm; undefined for a known one. */
  readonly toConfirm: RememberedCaller | undefined;
  /** The response to store, an `IdempotencyRow` as JSON; undefined for a call without `idempotency-key`. */
  readonly idempotency: string | undefined;
  readonly since: number;
  /** One waiter, or several with identical commands that only read. */
  waiters: Waiter[];
  /** Whether it runs in a separate statement, because a shared one has failed. */
  isAlone: boolean;
}

/** Waits for the response to a command. */
interface Waiter {
  readonly caller: QueryCaller | undefined;
  /** The span from the arrival of the command to its response; undefined if the call is not recorded. */
  readonly span?: Span | undefined;
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Whether two lookups may share a result. A remembered caller gets only a result that has confirmed it. */
export function isSameLookup(one: Command, other: Command): boolean {
  return one.keys[0] === other.keys[0] && one.toConfirm === undefined && other.toConfirm === undefined;
}

/** Whether a caller is still waiting for the response. */
export function isAwaited({ waiters }: Command): boolean {
  return waiters.some(({ caller }) => errorIfOver(caller) === undefined);
}

/** Rejects the waiters whose callers have disconnected. */
export function rejectGone(command: Command): void {
  command.waiters = command.waiters.filter(({ caller, reject }) => {
    const gone = errorIfOver(caller);
    if (gone !== undefined) reject(gone.error);
    return gone === undefined;
  });
}

/** Rejects all waiters. Those whose callers have disconnected get their own error. */
export function rejectCommand({ waiters }: Command, error: unknown): void {
  for (const { caller, reject } of waiters) reject((errorIfOver(caller) ?? { error }).error);
}
