import { type SqlBool, sql } from "kysely";
import { NIL_ID } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { changeTime } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../../events/append-events.ts";
import type { EventPayloads, NewEvent } from "../../events/catalogue.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { changeUserRow } from "../../users/change/change-user-row.ts";
import { toOwnEvents } from "../append-to-user.ts";
import { type FailureValues, forgiveFailures } from "../attempt-limit.ts";
import { HAS_ROLES_ELSEWHERE, type SignInUser } from "../find-sign-in-user.ts";
import type { SignInOrigin } from "../sign-in-origin.ts";

/**
 * Records a wrong password. Without a user, it writes the same amount, so that the duration does not reveal unknown
 * users.
 */
export async function recordPasswordFailure(
  { db, clock }: ChangeParts,
  user: SignInUser | undefined,
  payload: EventPayloads["user.human.password.check.failed"],
): Promise<void> {
  const key = user ?? { orgId: NIL_ID, id: NIL_ID };
  const event = { type: "user.human.password.check.failed", payload } as const;
  await storeFailure(db, { ...toOwnEvents(key, clock(), [event]), editorId: null });
}

/** A correct password that is to be recorded. */
export interface PasswordCheck {
  /** The failed attempts before it. */
  readonly failures: number;
  /** See `AttemptLimit.failuresOf`. */
  readonly forgiven: FailureValues;
  readonly origin: SignInOrigin;
}

export function toCheckEvent({ failures, origin }: PasswordCheck): NewEvent {
  return { type: "user.human.password.check.succeeded", payload: { failures, ...origin } };
}

/**
 * Records a correct password, stores its new hash if there is one, and forgives earlier failures. The end of a sign-in
 * does the same in its own statement, see `Interactions.finish`.
 *
 * @returns The user's current state; undefined if the password or the state has changed since the user was read.
 */
export async function recordPasswordSuccess(
  { db, clock }: ChangeParts,
  user: SignInUser,
  check: PasswordCheck,
  newHash?: string,
): Promise<SignInUser | undefined> {
  const upgraded: NewEvent = { type: "user.human.password.upgraded", payload: {} };
  const events = [toCheckEvent(check), ...(newHash === undefined ? [] : [upgraded])];
  const passwordHash = newHash ?? user.passwordHash;
  const [row] = await storeSuccess(db, {
    ...toOwnEvents(user, clock(), events),
    oldHash: user.passwordHash,
    hash: passwordHash,
    ...check.forgiven,
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

interface Imported extends PasswordCheck {
  readonly passwordHash: string;
  readonly changeRequired: boolean;
}

/**
 * Stores the password of a user who has none, and records that it was entered correctly. Sessions and links stay valid,
 * because nobody has changed a password.
 *
 * @returns The user's current state; undefined if the user has a password or a role elsewhere by now, or is not active.
 */
export async function recordImportedPassword(
  { db, clock }: ChangeParts,
  user: SignInUser,
  { passwordHash, changeRequired, ...check }: Imported,
): Promise<SignInUser | undefined> {
  const event = { type: "user.human.password.imported", payload: { changeRequired } } as const;
  const [row] = await storeImported(db, {
    ...toOwnEvents(user, clock(), [event, toCheckEvent(check)]),
    hash: passwordHash,
    changeRequired,
    ...check.forgiven,
  });
  const passwordChangeRequired = user.passwordChangeRequired || changeRequired;
  return row && { ...user, sequence: row.sequence, passwordHash, passwordChangeRequired };
}

interface ImportedValues extends EventValues, FailureValues {
  hash: string;
  changeRequired: boolean;
}

const storeImported = prepareStatement<ImportedValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) =>
      changeUserRow(query, param, {
        password_hash: param("hash", "text"),
        password_changed_at: changeTime(param, "users"),
        password_change_required: sql<boolean>`users.password_change_required or ${param("changeRequired", "boolean")}`,
      })
        .where("state", "=", "active")
        .where("password_hash", "is", null)
        .where(sql<SqlBool>`not ${HAS_ROLES_ELSEWHERE}`),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .with("forgiven", () => forgiveFailures(param, sql`exists (select from changed)`))
    .selectFrom("changed")
    .select("sequence"),
);
