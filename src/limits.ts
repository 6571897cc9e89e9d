const PERIODS = {
  "15 minutes": 15 * 60_000,
  hour: 3_600_000,
  "24 hours": 24 * 3_600_000,
} as const;

/** How often something may happen: a row in docs/security.md. */
export interface Limit {
  readonly who: string;
  readonly what: string;
  readonly most: number;
  /** Undefined if it never ends, or ends with what it counts. */
  readonly period?: keyof typeof PERIODS;
  /** What else the figure depends on. */
  readonly note?: string;
  /** What happens beyond the limit. */
  readonly beyond: string;
}

/** Limits that are counted per row, address or name. `npm run generate` writes the table in docs/security.md. */
export const LIMITS = {
  /** Each wider network may send twice as many as the narrower one, so that a single network cannot block the others. */
  wrongCodes: {
    who: "an address",
    what: "wrong links and digits, taken names, and requests to register or for a reset link",
    most: 30,
    period: "15 minutes",
    note: "60 from an IPv6 /56, 120 from a /48, in each process",
    beyond: "status 429",
  },
  wrongDigitsOfCode: { who: "a code", what: "wrong digits", most: 5, beyond: "the code is invalid" },
  /** Across all of their codes. */
  wrongDigitsOfUser: {
    who: "a user",
    what: "wrong digits",
    most: 10,
    period: "24 hours",
    beyond: "every code is invalid",
  },
  /** Imports and updates count, but are not limited. */
  codes: {
    who: "a user",
    what: "messages of one kind that pages, and calls named `Resend…`, send",
    most: 5,
    period: "24 hours",
    note: "1 per minute. For links to reset a password, see [Forgotten passwords](sign-in.md#forgotten-passwords)",
    beyond: "no message; calls fail with TOO_MANY_MESSAGES",
  },
  /** So that nobody can flood an inbox with them. */
  notices: { who: "a user", what: "notices of one kind", most: 5, period: "hour", beyond: "no notice" },
  /** The user who entered it may not be its owner. */
  requestedMessages: {
    who: "a new address or number, for all users of an organization",
    what: "messages that users request",
    most: 10,
    period: "24 hours",
    beyond: "TOO_MANY_MESSAGES",
  },
  signInLinks: {
    who: "an unverified address, for all users of an organization",
    what: "links that sign-ins send",
    most: 10,
    period: "24 hours",
    beyond: "no message",
  },
  registrations: {
    who: "an address that somebody wants to [register](sign-in.md#registration), for each organization",
    what: "emails",
    most: 5,
    period: "24 hours",
    beyond: "no message",
  },
  /** Each costs the operator money, and strangers who can register could otherwise request any number to their own premium-rate numbers. */
  requestedSms: {
    who: "an organization",
    what: "SMS that its users request on pages",
    most: 1_000,
    period: "hour",
    beyond: "TOO_MANY_MESSAGES",
  },
  /** Each sends requests to other hosts. */
  domainChecks: {
    who: "an organization",
    what: "checks of its domains",
    most: 60,
    period: "hour",
    beyond: "TOO_MANY_DOMAIN_CHECKS",
  },
  /** Each sends requests to other hosts. The operator has no limit. */
  providerChecks: {
    who: "an organization, and the instance",
    what: "checks of their providers",
    most: 60,
    period: "hour",
    beyond: "TOO_MANY_PROVIDER_CHECKS",
  },
  /** Each sends a request to another host. The operator has no limit. */
  webhookChecks: {
    who: "an organization",
    what: "[test events](webhooks.md#test-events) to its webhooks",
    most: 60,
    period: "hour",
    beyond: "TOO_MANY_WEBHOOK_CHECKS",
  },
  /** So that a slow hook does not delay other organizations. */
  passwordHook: {
    who: "an organization",
    what: "requests to its [password hook](moving/password-hook.md#what-protects-the-users)",
    most: 16,
    note: "at the same time, in each process",
    beyond: "the request is not sent",
  },
} as const satisfies Record<string, Limit>;

/** The milliseconds of a limit's period. */
export function periodMsOf({ period }: { readonly period: keyof typeof PERIODS }): number {
  return PERIODS[period];
}
