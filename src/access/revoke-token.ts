import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";

/**
 * Revokes a personal access token: the next call with it is refused. One that is revoked already stays as it is.
 *
 * The function throws SignetError: TOKEN_NOT_FOUND, or what the database gives.
 */
export function createRevokeToken({ db, clock }: { db: Kysely<Tables>; clock: Clock }) {
  const markRevoked = prepareMarkRevoked(db);

  return async (id: string): Promise<void> => {
    const owner = isId(id)
      ? await db.selectFrom("tokens").select(["org_id", "user_id"]).where("id", "=", id).executeTakeFirst()
      : undefined;
    if (owner === undefined) throw new SignetError("TOKEN_NOT_FOUND", `no token has the id "${id}"`);
    await markRevoked({
      ownerId: owner.org_id,
      aggregateId: owner.user_id,
      editorId: null,
      tokenId: id,
      now: clock(),
      events: eventsToJson([{ type: "user.token.revoked", payload: { tokenId: id } }]),
    });
  };
}

function prepareMarkRevoked(db: Kysely<Tables>) {
  return prepareStatementOn<EventValues & { tokenId: string; now: Date }, unknown>(db, (param) =>
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
          .set({
            sequence: sql`sequence + jsonb_array_length(${param("events", "jsonb")})`,
            changed_at: sql`greatest(changed_at, ${param("now", "timestamptz")})`,
          })
          .whereRef("users.org_id", "=", "revoked.org_id")
          .whereRef("users.id", "=", "revoked.user_id")
          .returning(["users.sequence", "users.changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .selectFrom("changed")
      .selectAll(),
  );
}
