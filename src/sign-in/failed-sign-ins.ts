import { sql } from "kysely";
import { NIL_ID } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { ChangeParts } from "../events/change-object.ts";
import type { AttemptKind, AttemptLimit } from "./attempt-limit.ts";
import type { SignInOrigin } from "./sign-in-origin.ts";

interface FailedSignIn {
  readonly orgId: string;
  /** Undefined if no user was found. */
  readonly userId: string | undefined;
  readonly kind: AttemptKind;
  readonly origin: SignInOrigin;
}

/**
 * Counts failed sign-ins by hour, user, kind, network and browser. An attempt writes nothing to the database, so that it
 * takes the same time whether or not there is a user.
 */
export interface FailedSignIns {
  /** Takes note of a failure. */
  add(failure: FailedSignIn, now: Date): void;
  /** Stores the failures since the last call. They are kept if the database fails. */
  store(db: Database): Promise<void>;
}

/** What a check needs to limit and count attempts. */
export interface AttemptParts extends ChangeParts {
  readonly attemptLimit: AttemptLimit;
  readonly failedSignIns: FailedSignIns;
}

interface Counter {
  readonly orgId: string;
  readonly userId: string;
  /** The start of the hour, as in RFC 3339. */
  readonly hour: string;
  readonly kind: AttemptKind;
  readonly network: string;
  readonly browser: string;
}

export const HOUR_MS = 3_600_000;

/**
 * The number of counters in one hour up to which failures count by network and browser, and up to which by user. The
 * others count for the organization only, so that strangers can fill neither the table nor the memory (5 MB).
 */
const MOST_COUNTERS = { byOrigin: 10_000, byUser: 20_000 };

/** Failures that are not stored when the process is killed are lost. */
export function createFailedSignIns(most = MOST_COUNTERS): FailedSignIns {
  let hour = "";
  /** The counters of the hour. */
  const known = new Set<string>();
  let unstored = new Map<string, Counter & { readonly count: number }>();

  function addTo(key: string, counter: Counter, count: number): void {
    unstored.set(key, { ...counter, count: count + (unstored.get(key)?.count ?? 0) });
  }

  return {
    add({ orgId, userId = NIL_ID, kind, origin }, now) {
      const current = startOfHour(now).toISOString();
      if (hour !== current) known.clear();
      hour = current;
      const { network = "", browser = "" } = origin;
      const byUser = { orgId, userId, hour, kind, network: "", browser: "" };
      const choices = [
        [{ ...byUser, network, browser }, most.byOrigin],
        [byUser, most.byUser],
        [{ ...byUser, userId: NIL_ID }, Number.POSITIVE_INFINITY],
      ] as const;
      for (const [counter, limit] of choices) {
        const key = Object.values(counter).join(" ");
        if (!known.has(key) && known.size >= limit) continue;
        known.add(key);
        addTo(key, counter, 1);
        return;
      }
    },
    async store(db) {
      const taken = unstored;
      if (taken.size === 0) return;
      unstored = new Map();
      try {
        await addCounts(db, { rows: JSON.stringify([...taken.values()]) });
      } catch (error) {
        for (const [key, { count, ...counter }] of taken) addTo(key, counter, count);
        throw error;
      }
    },
  };
}

/** The start of the hour of a time. */
export function startOfHour(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

/**
 * Adds to the counters, in the same order in all processes, so that two cannot deadlock. Nothing counts for a user who was
 * removed meanwhile. `exists` would read all users.
 */
const addCounts = prepareStatement<{ rows: string }, object>((db, param) => {
  const statement = sql<object>`
    insert into failed_sign_ins (org_id, user_id, hour, kind, network, browser, count)
    select given."orgId", given."userId", given.hour, given.kind, given.network, given.browser,
      given.count
    from jsonb_to_recordset(${param("rows", "jsonb")}) as given (
      "orgId" uuid, "userId" uuid, hour timestamptz, kind text, network text, browser text, count bigint)
    where given."userId" = ${sql.lit(NIL_ID)}
      or (select true from users where users.org_id = given."orgId" and users.id = given."userId")
    order by 1, 2, 3, 4, 5, 6
    on conflict on constraint failed_sign_ins__pkey
      do update set count = failed_sign_ins.count + excluded.count`;
  return { compile: () => statement.compile(db) };
});

/** The 1st, 10th, 100th … failure, so that unauthenticated clients cannot fill the events table. */
export function isRecorded(failures: number): boolean {
  return /^10*$/.test(String(failures));
}
