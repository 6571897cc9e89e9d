import { sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { changeTime } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues } from "../../events/append-events.ts";
import type { ChangeParts } from "../../events/change-object.ts";
import { changeUserRow } from "../../users/change/change-user-row.ts";
import { toOwnEvents } from "../append-to-user.ts";
import type { SignInUser } from "../find-sign-in-user.ts";

/**
 * Whether a user has no passkey, and has not declined to add one.
 *
 * @param declinedBefore An earlier answer does not count; null if every answer does.
 */
export async function lacksPasskey(
  { db }: { readonly db: Database },
  { orgId, id }: SignInUser,
  declinedBefore: Date | null,
  caller: QueryCaller,
): Promise<boolean> {
  return (await selectWithout(db, { orgId, userId: id, declinedBefore }, caller)).length > 0;
}

/** Records that a user has asked not to be prompted again to add a passkey. */
export async function declinePasskey({ db, clock }: ChangeParts, user: SignInUser): Promise<void> {
  await storeDecline(db, toOwnEvents(user, clock(), [{ type: "user.human.passwordless.declined", payload: {} }]));
}

interface WithoutValues {
  orgId: string;
  userId: string;
  declinedBefore: Date | null;
}

const selectWithout = prepareStatement<WithoutValues, { id: string }>((db, param) =>
  db
    .selectFrom("users")
    .select("id")
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("userId", "uuid"))
    .where(
      sql<boolean>`(passkey_declined_at is null or passkey_declined_at <= ${param("declinedBefore", "timestamptz")})`,
    )
    .where(
      sql<boolean>`not exists (
        select from passkeys where passkeys.org_id = users.org_id and passkeys.user_id = users.id)`,
    ),
);

const storeDecline = prepareStatement<EventValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) => changeUserRow(query, param, { passkey_declined_at: changeTime(param, "users") }))
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
