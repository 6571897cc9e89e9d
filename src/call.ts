/** The client that waits for an answer: the caller of an RPC, or the visitor of a page. */
export interface Caller {
  /** Aborted once the answer is no longer needed: the deadline has passed, or the caller has disconnected. */
  readonly signal: AbortSignal;
  /** Throws once the answer is no longer needed. */
  throwIfOver(): void;
}

/** The caller of an RPC and the target organization, resolved before the body is read. */
export interface Call extends Caller {
  /** The user that the token belongs to. */
  readonly userId: string;
  readonly instanceId: string;
  /** The target organization: that of the caller, or the one that `x-service-orgid` selects. */
  readonly orgId: string;
  /** Whether the caller has another permission too: in the target organization, or on the instance if it begins with `iam.`. */
  readonly isAllowed: (permission: string) => boolean;
}

/** What the token and the headers of a request say about a call. */
export type Principal = Omit<Call, keyof Caller>;
