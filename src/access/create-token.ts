import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import { createId, createTokenSecret, hashSecret } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";

/**
 * Creates a personal access token for a machine user. Only its SHA-256 is stored, so the returned token cannot be read
 * again.
 *
 * @throws SignetError USER_NOT_FOUND, or for a failure of the database.
 */
export async function createToken(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  user: { readonly id: string; readonly orgId: string },
  expiresAt: Date | null,
): Promise<{ id: string; token: string }> {
  const id = createId();
  const token = createTokenSecret();
  const lastFour = token.slice(-4);
  const payload = { tokenId: id, lastFour, expiresAt: expiresAt?.toISOString() ?? null };
  const [row] = await insertToken(db, {
    ownerId: user.orgId,
    aggregateId: user.id,
    editorId: null,
    tokenId: id,
    hash: hashSecret(token),
    lastFour,
    expiresAt,
    now: clock(),
    events: eventsToJson([{ type: "user.token.added", payload }]),
  });
  if (row === undefined) throw new SignetError("USER_NOT_FOUND", "no machine user of the organization has this id");
  return { id, token };
}

interface InsertTokenValues extends EventValues {
  tokenId: string;
  hash: Buffer;
  lastFour: string;
  expiresAt: Date | null;
}

const insertToken = prepareStatement<InsertTokenValues, unknown>((db, param) =>
  db
    .with("changed", (query) =>
      query
        .updateTable("users")
        .set(changedColumns(param, "users"))
        .where("org_id", "=", param("ownerId", "uuid"))
        .where("id", "=", param("aggregateId", "uuid"))
        .where("kind", "=", "machine")
        .returning(["org_id", "id", "sequence", "changed_at"]),
    )
    .with("token", (query) =>
      query
        .insertInto("tokens")
        .columns(["id", "org_id", "user_id", "hash", "last_four", "created_at", "expires_at"])
        .expression(
          query
            .selectFrom("changed")
            .select([
              sql<string>`${param("tokenId", "uuid")}`.as("token_id"),
              "changed.org_id",
              "changed.id",
              sql<Buffer>`${param("hash", "bytea")}`.as("hash"),
              sql<string>`${param("lastFour", "text")}`.as("last_four"),
              "changed.changed_at",
              sql<Date>`${param("expiresAt", "timestamptz")}`.as("expires_at"),
            ]),
        ),
    )
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .selectAll(),
);
