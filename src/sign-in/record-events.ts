import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import { NIL_ID } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { EventPayloads, NewEvent } from "../events/catalogue.ts";
import { changeUserRow } from "../users/change/change-user-row.ts";
import { type FailureValues, forgiveFailures } from "./attempt-limit.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

interface RecordParts {
  readonly db: Database;
  readonly clock: Clock;
}

/** The 1st, 10th, 100th … failure, so that unauthenticated clients cannot fill the events table. */
export function isRecorded(failures: number): boolean {
  return /^10*$/.test(String(failures));
}

/**
 * Records a wrong password. Without a user, it writes the same amount, so that the duration does not reveal unknown
 * users.
 */
export async function recordPasswordFailure(
  { db, clock }: RecordParts,
  user: SignInUser | undefined,
  payload: EventPayloads["user.human.password.check.failed"],
): Promise<void> {
  await storeFailure(db, {
    ownerId: user?.orgId ?? NIL_ID,
    aggregateId: user?.id ?? NIL_ID,
    editorId: null,
    events: eventsToJson([{ type: "user.human.password.check.failed", payload }]),
    now: clock(),
  });
}

/**
 * Records a correct password, stores its new hash if there is one, and forgives earlier failures.
 *
 * @param options `forgiven`: see `AttemptLimit.failuresOf`.
 * @returns The user's current state; undefined if the password or the state has changed since the user was read.
 */
export async function recordPasswordSuccess(
  { db, clock }: RecordParts,
  user: SignInUser,
  {
    failures,
    newHash,
    forgiven,
  }: { readonly failures: number; readonly newHash: string | undefined; readonly forgiven: FailureValues },
): Promise<SignInUser | undefined> {
  const events: NewEvent[] = [
    { type: "user.human.password.check.succeeded", payload: { failures } },
    ...(newHash === undefined ? [] : [{ type: "user.human.password.upgraded", payload: {} } as const]),
  ];
  const passwordHash = newHash ?? user.passwordHash;
  const [row] = await storeSuccess(db, {
    ownerId: user.orgId,
    aggregateId: user.id,
    editorId: user.id,
    events: eventsToJson(events),
    now: clock(),
    oldHash: user.passwordHash,
    hash: passwordHash,
    ...forgiven,
  });
  return row && { ...user, sequence: row.sequence, passwordHash };
}

const storeFailure = prepareStatement<EventValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) => changeUserRow(query, param))
    .with("appended", () => appendEvents(param, "changed"))
    // A commit without a write would not wait for the disk.
    .with(
      "padded",
      () => sql<object>`(
        insert into rate_limits (key, points, expire)
        select 'password:unrecorded', 0, extract(epoch from ${param("now", "timestamptz")})::bigint * 1000
        where not exists (select from changed)
        on conflict (key) do update set expire = excluded.expire)`,
    )
    .selectFrom("changed")
    .select("sequence"),
);

interface SuccessValues extends EventValues, FailureValues {
  oldHash: string | null;
  hash: string | null;
}

const storeSuccess = prepareStatement<SuccessValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param, { password_hash: param("hash", "text") })
        .where("state", "=", "active")
        .where("password_hash", "=", param("oldHash", "text")),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .with("forgiven", () => forgiveFailures(param, sql`exists (select from changed)`))
    .selectFrom("changed")
    .select("sequence"),
);
