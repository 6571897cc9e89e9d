import type { Message } from "@bufbuild/protobuf";
import type { Span } from "./telemetry/span.ts";

/** The client that waits for an answer: the caller of an RPC, or the visitor of a page. */
export interface Caller {
  /** Aborted once the answer is no longer needed: the deadline has passed, or the caller has disconnected. */
  readonly signal: AbortSignal;
  /** Throws once the answer is no longer needed. */
  throwIfOver(): void;
  /** The part of a trace that the answer is; undefined while traces are off. */
  readonly span?: Span | undefined;
}

/** What the token and the headers of a request say about a call. */
export interface Principal {
  /** The user that the token belongs to. */
  readonly userId: string;
  readonly instanceId: string;
  /** The target organization: that of the caller, or the one that `x-service-orgid` selects. */
  readonly orgId: string;
  /**
   * Whether the caller has another permission too: in the target organization, or on the instance if it begins with
   * `iam.`.
   */
  readonly isAllowed: (permission: string) => boolean;
}

/** The caller of an RPC and the target organization, resolved before the body is read. */
export interface Call extends Caller, Principal {
  /** The header `idempotency-key` as it was received. */
  readonly idempotencyKey?: string | undefined;
  /** The session of the person who changes the own user: it goes on where the change ends the user's sessions. */
  readonly keptSession?: string | undefined;
  /** Set before an operation that changes something, if the caller sent `idempotency-key`. */
  keptAnswer?: KeptAnswer | undefined;
}

/**
 * The answer to a call with `idempotency-key`. The statement that makes the change also stores the answer (see
 * `prepareWrite`), so that the same call can be answered again without a second change.
 */
export interface KeptAnswer {
  /** Adds what the answer has besides `details`. Call it before the statement. */
  add(answer: Message): void;
  toRow(): KeptRow;
}

/** A row of `idempotency_keys` without the `details` of the answer, for JSON: bytes are made by `bytesToText`. */
export interface KeptRow {
  readonly callerId: string;
  readonly keyHash: string;
  readonly requestMac: string;
  readonly answer: string | null;
  readonly masterKey: string;
  readonly expiresAt: Date;
}
