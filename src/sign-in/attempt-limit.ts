import { createHmac } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../call.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { isExpectedOnce } from "../database/command-list.ts";
import { type Param, prepareStatement } from "../database/prepare.ts";
import type { ChangeParts } from "../events/change-object.ts";
import { networksOf } from "../network-of.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

/** The credential of an attempt. Each kind has separate counters. */
export type AttemptKind = "password" | "one-time-code" | "passkey";

/** An attempt to authenticate a user. */
export interface Attempt {
  /** `password` by default. */
  readonly kind?: AttemptKind;
  readonly orgId: string;
  /** The result of `userNameKey`; for a passkey, its id. Need not exist. */
  readonly nameKey: string;
  /** A second name under which the attempt counts, on an unknown device. */
  readonly alias?: string | undefined;
  /** The address that the attempt comes from. */
  readonly address: string;
  /** The id of a device from which this user has signed in before. */
  readonly device: string | undefined;
}

type AttemptAdmission =
  /** `failures`: the failed attempts so far, including this one. */
  { readonly ok: true; readonly failures: number } | { readonly ok: false; readonly retrySeconds: number };

/** What an attempt has proved: `More` comes with the user, who is active; see `nextGate` for the remaining steps. */
export type AttemptOutcome<More = unknown> =
  | ({ readonly kind: "proved"; readonly user: SignInUser } & More)
  | { readonly kind: "failed" }
  | { readonly kind: "too-often"; readonly retrySeconds: number };

/**
 * Limits failed attempts. Names without a user are counted in the same way. A rejected attempt does not extend a delay:
 * otherwise, an attacker could extend it forever without a single guess.
 */
export interface AttemptLimit {
  /**
   * Counts an attempt as a failure before it is verified, so that concurrent attempts cannot exceed a limit.
   *
   * @throws SignetError if the database fails.
   */
  admit(attempt: Attempt, caller: Pick<Caller, "throwIfOver">): Promise<AttemptAdmission>;
  /**
   * Records a success: removes the failures of this user at this address, or on this device. An attacker's own account
   * must not reset the count of an address, nor a user's sign-in the count of an attacker elsewhere.
   */
  forgive(attempt: Attempt): Promise<void>;
  /**
   * Takes back an attempt whose credential nobody has checked. It stays counted for the networks, whose limits also bound
   * the work that strangers can cause.
   */
  withdraw(attempt: Attempt): Promise<void>;
  /** The values for `forgiveFailures`, which does the same within the statement that records a success. */
  failuresOf(attempt: Attempt): FailureValues;
}

export interface FailureValues {
  /** The keys of the rows that counted the attempt, in the order in which `countAttempt` locks them. */
  counters: string[];
  /** The key of the row whose count is subtracted from all of them. */
  ownCounter: string;
}

interface Limit {
  /** The number of failures without a consequence. */
  readonly free: number;
  readonly rememberedMs: number;
  /**
   * True: each further failure doubles the delay before the next attempt, from 1 s to `LONGEST_DELAY_MS`, and the count
   * is reset after some time without attempts. False: no attempts until that time has passed since the first failure.
   */
  readonly delays: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Anyone can cause the delay for passwords, but only someone who knows the password can cause the one for one-time
 * codes. A year of guessing then finds a code with a probability of 0.7 % (three in a million codes are valid, six
 * attempts per day).
 */
const LONGEST_DELAY_MS = {
  password: 15 * MINUTE_MS,
  "one-time-code": 4 * 60 * MINUTE_MS,
  passkey: 15 * MINUTE_MS,
} as const satisfies Record<AttemptKind, number>;

/**
 * `address`, `site` and `range`: all users from each of the networks of `networksOf`. A wider one allows twice as much
 * as a narrower one, so that a single network cannot use it up for the others. `pair`: one user from the narrowest
 * network. `account`: one user from anywhere. `aliasPair` and `aliasAccount`: the same for `Attempt.alias`. `device`: one user on a device from which the user has signed in before;
 * such a device is subject to no other limit, so that attackers cannot lock the user out. Passkeys have no limit across
 * addresses, because signatures cannot be guessed.
 */
export const ATTEMPT_LIMITS = {
  address: { free: 50, rememberedMs: 15 * MINUTE_MS, delays: false },
  site: { free: 100, rememberedMs: 15 * MINUTE_MS, delays: false },
  range: { free: 200, rememberedMs: 15 * MINUTE_MS, delays: false },
  pair: { free: 10, rememberedMs: DAY_MS, delays: true },
  account: { free: 20, rememberedMs: DAY_MS, delays: true },
  aliasPair: { free: 10, rememberedMs: DAY_MS, delays: true },
  aliasAccount: { free: 20, rememberedMs: DAY_MS, delays: true },
  device: { free: 10, rememberedMs: DAY_MS, delays: true },
} as const satisfies Record<string, Limit>;

type Counter = keyof typeof ATTEMPT_LIMITS;

const COUNTERS = Object.keys(ATTEMPT_LIMITS) as Counter[];

/** Creates the limit, which counts in the table `rate_limits` for all processes. */
export function createAttemptLimit(parts: ChangeParts & { readonly keyring: Keyring }): AttemptLimit {
  const { db, keyring, clock } = parts;
  const [secret] = keyring.derive("password attempts");

  return {
    async admit(attempt, caller) {
      const now = clock().getTime();
      const longestDelay = BigInt(LONGEST_DELAY_MS[attempt.kind ?? "password"]);
      const [row] = await countAttempt(db, { ...toKeys(attempt), now: BigInt(now), longestDelay }, caller);
      if (row?.failures != null) return { ok: true, failures: row.failures };
      const seconds = Math.ceil((Number(row?.blocked_until ?? now) - now) / 1_000);
      return { ok: false, retrySeconds: Math.max(1, seconds) };
    },
    async forgive(attempt) {
      await subtractFailures(db, failuresOf(attempt));
    },
    async withdraw(attempt) {
      const { pair, account, aliasPair, aliasAccount, device } = toKeys(attempt);
      const counters = [pair, account, aliasPair, aliasAccount, device].filter((key) => key !== null);
      await withdrawAttempt(db, { counters });
    },
    failuresOf,
  };

  function failuresOf(attempt: Attempt): FailureValues {
    const keys = toKeys(attempt);
    const counters = COUNTERS.map((counter) => keys[counter]).filter((key) => key !== null);
    return { counters, ownCounter: keys.device ?? keys.pair ?? "" };
  }

  /** The rows' keys: without the master key, a copy of the table reveals neither names nor addresses. */
  function toKeys({ kind = "password", orgId, nameKey, alias, address, device }: Attempt): CounterKeys {
    const key = (counter: Counter, ...parts: string[]) =>
      `${kind}:${createHmac("sha256", secret)
        .update([counter, ...parts].join("\0"))
        .digest("base64url")}`;
    if (device !== undefined) return { ...NO_KEYS, device: key("device", orgId, nameKey, device) };
    const [network, site, range] = networksOf(address);
    return {
      ...NO_KEYS,
      address: key("address", network),
      ...(site !== undefined && { site: key("site", site) }),
      ...(range !== undefined && { range: key("range", range) }),
      pair: key("pair", orgId, nameKey, network),
      ...(kind !== "passkey" && { account: key("account", orgId, nameKey) }),
      // The rows of an alias are those of a user with this name.
      ...(alias !== undefined && {
        aliasPair: key("pair", orgId, alias, network),
        aliasAccount: key("account", orgId, alias),
      }),
    };
  }
}

/** The keys of the counters that apply. */
type CounterKeys = Record<Counter, string | null>;

const NO_KEYS = Object.fromEntries(COUNTERS.map((counter) => [counter, null])) as CounterKeys;

interface CountValues extends CounterKeys {
  /** In milliseconds since 1970. */
  now: bigint;
  longestDelay: bigint;
}

/**
 * Counts an attempt; `failures` is null if a limit does not allow it. A counter that has reached its limit is not
 * updated, so it returns no row, and the counters after it are not changed: a blocked address adds no rows.
 */
const countAttempt = prepareStatement<CountValues, { failures: number | null; blocked_until: string | null }>(
  (db, param) =>
    db
      .with("address_counted", () => increment(param, "address"))
      .with("site_counted", () => increment(param, "site", sql`exists (select from address_counted)`))
      .with("range_counted", () => increment(param, "range", sql`exists (select from site_counted)`))
      .with("pair_counted", () =>
        increment(
          param,
          "pair",
          sql`exists (select from address_counted)
            and (${param("range", "text")} is null or exists (select from range_counted))`,
        ),
      )
      .with("account_counted", () => increment(param, "account", sql`exists (select from pair_counted)`))
      .with("alias_pair_counted", () => increment(param, "aliasPair", sql`exists (select from account_counted)`))
      .with("alias_account_counted", () =>
        increment(param, "aliasAccount", sql`exists (select from alias_pair_counted)`),
      )
      .with("device_counted", () => increment(param, "device"))
      .selectNoFrom([
        sql<number | null>`coalesce((select points from device_counted),
          (select points from account_counted
            where ${param("aliasAccount", "text")} is null or exists (select from alias_account_counted)),
          (select points from pair_counted where ${param("account", "text")} is null))`.as("failures"),
        sql<string | null>`greatest(${sql.join(COUNTERS.map((counter) => blockedUntil(param, counter)))})::text`.as(
          "blocked_until",
        ),
      ]),
);

function increment(param: Param<CountValues>, counter: Counter, condition = sql<boolean>`true`) {
  const { rememberedMs, delays } = ATTEMPT_LIMITS[counter];
  const [key, now] = [param(counter, "text"), param("now", "bigint")];
  const isOver = sql`rate_limits.expire <= ${now}`;
  return sql<{ points: number }>`(
    insert into rate_limits (key, points, expire)
    select ${key}, 1, ${now} + ${sql.lit(rememberedMs)} where ${key} is not null and ${condition}
    on conflict (key) do update set
      points = case when ${isOver} then 1 else rate_limits.points + 1 end,
      expire = case when ${isOver} or ${sql.lit(delays)} then excluded.expire else rate_limits.expire end
    where ${isOver} or ${endOfDelay(param, counter)} <= ${now}
    returning points)`;
}

/** When the `rate_limits` row of a counter allows the next attempt, in milliseconds since 1970. */
function endOfDelay(param: Param<CountValues>, counter: Counter): RawBuilder<bigint> {
  const { free, rememberedMs, delays } = ATTEMPT_LIMITS[counter];
  const end = delays
    ? sql`rate_limits.expire - ${sql.lit(rememberedMs)}
        + least(${param("longestDelay", "bigint")}, 1000 * (1 << least(rate_limits.points - ${sql.lit(free)}, 20)))`
    : sql`rate_limits.expire`;
  return sql`case when rate_limits.points < ${sql.lit(free)} then 0 else ${end} end`;
}

function blockedUntil(param: Param<CountValues>, counter: Counter): RawBuilder<bigint> {
  return sql`(select ${endOfDelay(param, counter)} from rate_limits
    where key = ${param(counter, "text")} and expire > ${param("now", "bigint")})`;
}

/**
 * The part of a statement that forgives failures. Locks the rows in the same order as `countAttempt`, so that the two
 * cannot deadlock.
 */
export function forgiveFailures<Values extends FailureValues>(
  param: Param<Values>,
  condition = sql<boolean>`true`,
): RawBuilder<{ key: string }> {
  return sql<{ key: string }>`(
    with locked as (
      select rate_limits.key, rate_limits.points
      from unnest(${param("counters", "text[]")}) with ordinality as listed (key, number)
      join rate_limits on rate_limits.key = listed.key
      where ${isExpectedOnce} and ${condition}
      order by listed.number for update of rate_limits)
    update rate_limits
    set points = greatest(0, rate_limits.points
      - (select points from locked where key = ${param("ownCounter", "text")}))
    from locked where rate_limits.key = locked.key
    returning rate_limits.key)`;
}

const subtractFailures = prepareStatement<FailureValues, { key: string }>((db, param) =>
  db
    .with("forgiven", () => forgiveFailures(param))
    .selectFrom("forgiven")
    .select("key"),
);

/** Subtracts one failure from each counter. Locks the rows in the same order as `countAttempt`. */
const withdrawAttempt = prepareStatement<{ counters: string[] }, { key: string }>((db, param) => {
  const statement = sql<{ key: string }>`
    with locked as (
      select rate_limits.key
      from unnest(${param("counters", "text[]")}) with ordinality as listed (key, number)
      join rate_limits on rate_limits.key = listed.key
      where ${isExpectedOnce}
      order by listed.number for update of rate_limits)
    update rate_limits set points = greatest(0, rate_limits.points - 1)
    from locked where rate_limits.key = locked.key
    returning rate_limits.key`;
  return { compile: () => statement.compile(db) };
});
