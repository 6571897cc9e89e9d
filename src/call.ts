import type { Message } from "@bufbuild/protobuf";
import type { Span } from "./telemetry/span.ts";

/** A party that waits for the result of a query: a `Caller`, or background work. */
export interface QueryCaller {
  /** Throws if the result is no longer needed. */
  throwIfOver(): void;
  /** The span that the query belongs to; undefined while traces are off. */
  readonly span?: Span | undefined;
  /**
   * Set while the caller is known only from an earlier call. Until a statement has confirmed it (see `prepareWrite`),
   * no other statement runs for the caller.
   */
  unconfirmed?: RememberedCaller | undefined;
}

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
}

/** The caller and the target of a call, according to the token and headers of its request. */
export interface Principal {
  /** The user that the token belongs to. */
  readonly userId: string;
  readonly instanceId: string;
  /** The target organization: the caller's own, or the one selected by `x-service-orgid`. */
  readonly orgId: string;
  /**
   * Whether the caller has this permission: in the target organization, or on the instance if it starts with `iam.`.
   */
  readonly isAllowed: (permission: string) => boolean;
  /** Set if the principal is that of an earlier call. */
  readonly remembered?: RememberedCaller | undefined;
}

/** The caller of an RPC and the target organization, resolved before the body is read. */
export interface Call extends Caller, Principal {
  /** The header `idempotency-key`, as received. */
  readonly idempotencyKey?: string | undefined;
  /** The caller's own session. It continues if the change ends the other sessions of the user. */
  readonly keptSession?: string | undefined;
  /** Set before an operation that changes data if the caller sent `idempotency-key`. */
  keptResponse?: KeptResponse | undefined;
}

/**
 * The response to a call with `idempotency-key`. The statement that makes the change also stores the response (see
 * `prepareWrite`), so that a repeated call gets it without a second change.
 */
export interface KeptResponse {
  /** Adds the fields of the response besides `details`. Call it before the statement. */
  add(response: Message): void;
  toRow(): KeptRow;
}

/** A row of `idempotency_keys` without the response's `details`, for JSON: bytes are converted by `bytesToText`. */
export interface KeptRow {
  readonly callerId: string;
  readonly keyHash: string;
  readonly requestMac: string;
  readonly answer: string | null;
  readonly masterKey: string;
  readonly expiresAt: Date;
}
