/**
 * Receives reports while metrics are on; undefined otherwise. Every label value comes from a fixed set, so that callers
 * cannot create time series.
 */
export interface Metrics {
  /**
   * A call has ended.
   *
   * @param method The name of an RPC, or `UNKNOWN`.
   * @param protocol The protocol, as on the log line.
   * @param code The name of the code, such as `ok`.
   */
  callEnded(method: string, protocol: string, code: string, ms: number): void;
  /**
   * A page, or a request to the OpenID provider, has ended.
   *
   * @param route The path, with placeholders for ids, or `UNKNOWN`.
   * @param status Undefined if the client has disconnected.
   */
  pageEnded(route: string, status: number | undefined, ms: number): void;
  signInChecked(method: SignInMethod, outcome: SignInOutcome): void;
  /** A sign-in has passed all gates, and redirects to its application. */
  signInFinished(): void;
  /** An application has been notified of the end of a session (OpenID Connect Back-Channel Logout 1.0), or could not be. */
  appNotified(outcome: NotificationOutcome): void;
  /** A statement has run this many commands. */
  commandsWritten(operation: string, commands: number): void;
  hashEnded(operation: "hash" | "verify", waitedMs: number, ms: number): void;
  budgetExceeded(budget: BudgetName): void;
}

/** The label value for every unknown method, route or path. */
export const UNKNOWN = "unknown";

export const SIGN_IN_METHODS = ["password", "passkey", "one_time_code", "idp"] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** `throttled`: not verified, because of too many failures. `error`: the service could not verify it. */
export const SIGN_IN_OUTCOMES = ["success", "failure", "throttled", "error"] as const;
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number];

export const NOTIFICATION_OUTCOMES = ["success", "failure"] as const;
type NotificationOutcome = (typeof NOTIFICATION_OUTCOMES)[number];

/** All budgets. docs/operate.md describes each. */
export const BUDGET_NAMES = [
  "connections",
  "new_connections",
  "penalty",
  "requests",
  "failed_tokens",
  "event_loop",
  "streams",
  "sign_in_starts",
  "wrong_codes",
  "database_calls",
  "database_lists",
  "database_pages",
  "pages",
  "commands",
  "hashes",
] as const;
export type BudgetName = (typeof BUDGET_NAMES)[number];

/** State that is read when metrics are requested. */
export interface MetricSources {
  readonly database: () => DatabaseState;
  readonly hashes: () => { readonly running: number; readonly waiting: number; readonly threads: number };
  /** Outcomes of messages since startup, by channel. */
  readonly deliveries: () => Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Outcomes of attempts to call webhooks since startup. */
  readonly webhookDeliveries: () => Readonly<Record<string, number>>;
  /** Resolves while the service can serve; see `/readyz`. */
  readonly checkReady: () => Promise<void>;
  /** When the certificate in use expires; undefined without TLS. */
  readonly certificateExpiresAt: () => Date | undefined;
  /** By how many seconds the clock of this process is ahead of the database's. Queries the database. */
  readonly readClockOffset: () => Promise<number>;
  /** Queries the database. */
  readonly countOutbox: () => Promise<readonly OutboxCount[]>;
  /** Queries the database. */
  readonly countWebhookDeliveries: () => Promise<readonly WebhookCount[]>;
}

export interface DatabaseState {
  readonly limit: number;
  readonly idle: number;
  /** By lane. */
  readonly lanes: Readonly<Record<string, { readonly running: number; readonly waiting: number }>>;
}

/** The unsent messages of a channel in one state. */
export interface OutboxCount {
  readonly channel: "email" | "sms";
  /** `waiting` for its first attempt, `sending`, or `retrying` after a failed attempt. */
  readonly state: "waiting" | "sending" | "retrying";
  readonly messages: number;
  /** Seconds since the oldest of them was queued. */
  readonly oldestSeconds: number;
}

/** The deliveries of webhooks that are not sent yet, in one state. */
export interface WebhookCount {
  /** `waiting`, `sending`, or `retrying` after a failed attempt. */
  readonly state: "waiting" | "sending" | "retrying";
  readonly deliveries: number;
}
