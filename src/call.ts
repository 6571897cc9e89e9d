/** Who calls, and for which organization: known before the body of a request is looked at. */
export interface Call {
  /** The user whom the token belongs to. */
  readonly userId: string;
  readonly instanceId: string;
  /** The organization that the call is for: that of the caller, or the one that `x-service-orgid` names. */
  readonly orgId: string;
  /** Aborted once nobody waits for the answer: the deadline has passed, or the caller has disconnected. */
  readonly signal: AbortSignal;
  /** Throws once nobody waits for the answer. */
  throwIfOver(): void;
}

/** What the token and the headers of a request say about a call. */
export type Principal = Omit<Call, "signal" | "throwIfOver">;

/** Tells the time. */
export type Clock = () => Date;
