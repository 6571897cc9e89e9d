/** Who calls, and for which organization: known before the body of a request is looked at. */
export interface Call {
  /** The user whom the token belongs to. */
  readonly userId: string;
  readonly instanceId: string;
  /** The organization that the call is for: that of the caller, or the one that `x-service-orgid` names. */
  readonly orgId: string;
  /** Throws once nobody waits for the answer any more: the deadline passed, or the caller went away. */
  throwIfOver(): void;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** What the token and the headers of a request say of a call. */
export type Principal = Omit<Call, "throwIfOver" | "signal">;

/** Tells the time. */
export type Clock = () => Date;
