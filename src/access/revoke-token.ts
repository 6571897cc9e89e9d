import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";

/**
 * Revokes a personal access token, effective from the next call. Does nothing if the token is already revoked.
 *
 * @throws SignetError TOKEN_NOT_FOUND, or for a failure of the database.
 */
export async function revokeToken(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  id: string,
): Promise<void> {
  const owner = isId(id)
    ? await db.selectFrom("tokens").select(["org_id", "user_id"]).where("id", "=", id).executeTakeFirst()
    : undefined;
  if (owner === undefined) throw new SignetError("TOKEN_NOT_FOUND", `no token has the id "${id}"`);
  await markRevoked(db, {
    ownerId: owner.org_id,
    aggregateId: owner.user_id,
    editorId: null,
    tokenId: id,
    now: clock(),
    events: eventsToJson([{ type: "user.token.revoked", payload: { tokenId: id } }]),
  });
}

const markRevoked = prepareStatement<EventValues & { tokenId: string }, unknown>((db, param) =>
  db
    .with("revoked", (query) =>
      query
        .updateTable("tokens")
        .set({ revoked_at: param("now", "timestamptz") })
        .where("id", "=", param("tokenId", "uuid"))
        .where("revoked_at", "is", null)
        .returning(["org_id", "user_id"]),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from("revoked")
        .set(changedColumns(param, "users"))
        .whereRef("users.org_id", "=", "revoked.org_id")
        .whereRef("users.id", "=", "revoked.user_id")
        .returning(["users.sequence", "users.changed_at"]),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .selectAll(),
);
