import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import type { SignInUser } from "./find-sign-in-user.ts";

interface RecordParts {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
}

/** The 1st, 10th, 100th … failure, so that unauthenticated clients cannot fill the table of events. */
export function isRecorded(failures: number): boolean {
  return /^10*$/.test(String(failures));
}

/** Records a wrong password. Without a user, it writes as much, so that the duration does not reveal unknown users. */
export async function recordPasswordFailure(
  { db, clock }: RecordParts,
  user: SignInUser | undefined,
  payload: { readonly failures: number; readonly knownDevice: boolean },
): Promise<void> {
  await storeFailure(db, {
    ownerId: user?.orgId ?? NOBODY,
    aggregateId: user?.id ?? NOBODY,
    editorId: null,
    events: eventsToJson([{ type: "user.human.password.check.failed", payload }]),
    now: clock(),
  });
}

/**
 * Records that a password was right, and stores the new hash of it, if there is one.
 *
 * @returns The user as it is now; undefined if the password or the state has changed since the user was read.
 */
export async function recordPasswordSuccess(
  { db, clock }: RecordParts,
  user: SignInUser,
  { failures, newHash }: { readonly failures: number; readonly newHash: string | undefined },
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
  });
  return row && { ...user, sequence: row.sequence, passwordHash };
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

const storeFailure = prepareStatement<EventValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      query
        .updateTable("users")
        .set(changedColumns(param, "users"))
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .returning(["sequence", "changed_at"]),
    )
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

interface SuccessValues extends EventValues {
  oldHash: string | null;
  hash: string | null;
}

const storeSuccess = prepareStatement<SuccessValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      query
        .updateTable("users")
        .set({ password_hash: param("hash", "text"), ...changedColumns(param, "users") })
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("state", "=", "active")
        .where("password_hash", "=", param("oldHash", "text"))
        .returning(["sequence", "changed_at"]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
