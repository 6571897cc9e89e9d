import { type SqlBool, sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { changeTime } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { changeUserRow } from "../users/change/change-user-row.ts";
import { type FailureValues, forgiveFailures } from "./attempt-limit.ts";
import { HAS_ROLES_ELSEWHERE, type SignInUser } from "./find-sign-in-user.ts";

interface Imported {
  readonly passwordHash: string;
  readonly changeRequired: boolean;
  /** The failed attempts before this one. */
  readonly failures: number;
  /** See `AttemptLimit.failuresOf`. */
  readonly forgiven: FailureValues;
}

/**
 * Stores the password of a user who has none, and records that it was entered correctly. Sessions and links stay valid,
 * because nobody has changed a password.
 *
 * @returns The user's current state; undefined if the user has a password or a role elsewhere by now, or is not active.
 */
export async function recordImportedPassword(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  user: SignInUser,
  { passwordHash, changeRequired, failures, forgiven }: Imported,
): Promise<SignInUser | undefined> {
  const [row] = await storeImported(db, {
    ownerId: user.orgId,
    aggregateId: user.id,
    editorId: user.id,
    events: eventsToJson([
      { type: "user.human.password.imported", payload: { changeRequired } },
      { type: "user.human.password.check.succeeded", payload: { failures } },
    ]),
    now: clock(),
    hash: passwordHash,
    changeRequired,
    ...forgiven,
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
