import type { Clock } from "../clock.ts";
import { createId, createTokenSecret, hashSecret } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { runTransaction } from "../database/run-transaction.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { changeUserRow } from "../users/change/change-user-row.ts";

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
  await runTransaction(db, { throwIfOver() {} }, async (transaction) => {
    const created_at = await appendToMachine(transaction, user, clock(), { type: "user.token.added", payload });
    if (created_at === undefined) {
      throw new SignetError("USER_NOT_FOUND", "no machine user of the organization has this id");
    }
    const row = { id, org_id: user.orgId, user_id: user.id, hash: hashSecret(token), created_at };
    await transaction
      .insertInto("tokens")
      .values({ ...row, last_four: lastFour, expires_at: expiresAt })
      .execute();
  });
  return { id, token };
}

/**
 * Appends an event to a machine user.
 *
 * @returns The time of the event; undefined if there is no such user.
 */
export async function appendToMachine(
  db: Database,
  user: { readonly id: string; readonly orgId: string },
  now: Date,
  event: NewEvent,
): Promise<Date | undefined> {
  const events = eventsToJson([event]);
  const [row] = await append(db, { ownerId: user.orgId, aggregateId: user.id, editorId: null, now, events });
  return row?.changed_at;
}

const append = prepareStatement<EventValues, { changed_at: Date }>((db, param) =>
  db
    .with("changed", (query) => changeUserRow(query, param).where("kind", "=", "machine"))
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("changed_at"),
);
