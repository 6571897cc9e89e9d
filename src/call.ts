import type { Actor, ApiActor, Operator, Principal } from "./actor.ts";
import type { Span } from "./telemetry/span.ts";

/** A party that waits for the result of a query: a `Caller`, or background work. */
export interface QueryCaller {
  /** Throws if the result is no longer needed. */
  throwIfOver(): void;
  /** The span that the query belongs to; undefined while traces are off. */
  readonly span?: Span | undefined;
  /** Undefined for pages and background work, which have no token. */
  readonly authority?: Authority | undefined;
}

/**
 * How the caller of an RPC is known. `known`: its token was looked up in this call. `toConfirm`: it is as an earlier
 * call found it, so each statement that runs for it must confirm it (`confirm-callers.ts`).
 */
export type Authority = { readonly kind: "known" } | { readonly kind: "toConfirm"; readonly caller: RememberedCaller };

/** A caller as it was in an earlier call with the same token and target organization. */
export interface RememberedCaller {
  /** SHA-256 of the token, created by `hexToText`. */
  readonly tokenHash: string;
  /** The time of this call. */
  readonly now: Date;
  readonly instanceId: string;
  readonly instanceRoles: readonly string[];
  /** The target organization. */
  readonly orgId: string;
  readonly orgRoles: readonly string[];
}

/**
 * Thrown when a statement has not confirmed a remembered caller, whose token or role may have been revoked, and has
 * written nothing.
 */
export const UNCONFIRMED = new Error("the remembered caller was not confirmed");

/** The client that waits for a response: the caller of an RPC, or the visitor of a page. */
export interface Caller extends QueryCaller {
  /** Aborted when the response is no longer needed: the deadline has passed, or the caller has disconnected. */
  readonly signal: AbortSignal;
  /** The header `user-agent` of the visitor of a page; undefined for the caller of an RPC. */
  readonly userAgent?: string | undefined;
}

/**
 * What an operation gets besides its dependencies and fields: who runs it, and who waits for the result. It hands this
 * value to the executor unchanged.
 */
export type Call<A extends Actor = ApiActor> = A & CallContext;

/** Creates a call of the operator. Without a signal, nobody cancels it. */
export function createOperatorCall({
  signal = AbortSignal.any([]),
  ...target
}: Pick<Operator, "instanceId" | "orgId"> & { readonly signal?: AbortSignal | undefined }): Call<Operator> {
  return { kind: "operator", userId: null, ...target, signal, throwIfOver() {} };
}

/**
 * Returns the call of a caller that reads its own user.
 *
 * @throws Error for the operator, who has none.
 */
export function requireUser(call: Call): Call<Principal> {
  if (call.kind === "operator") throw new Error("the operator has no user");
  return call;
}

interface CallContext extends Caller {
  /** The header `idempotency-key`, as received. */
  readonly idempotencyKey?: string | undefined;
  /** Set if the response must be stored, because the caller sent `idempotency-key`. */
  readonly idempotency?: Idempotency | undefined;
}

/**
 * Stores the response to a call with `idempotency-key`. The statement that makes the change also writes the row, so
 * that a repeated call gets the response without a second change.
 */
export interface Idempotency {
  /** @param result The fields of the operation's result besides `details`, if there are any. */
  toRow(result?: object): IdempotencyRow;
}

/** A row of `idempotency_keys` without the response's `details`, for JSON: bytes are converted by `bytesToText`. */
interface IdempotencyRow {
  readonly callerId: string;
  readonly keyHash: string;
  readonly requestMac: string;
  readonly response: string | null;
  readonly masterKey: string;
  readonly expiresAt: Date;
}
