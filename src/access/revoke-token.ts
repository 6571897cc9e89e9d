import type { Clock } from "../clock.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { runTransaction } from "../database/run-transaction.ts";
import { SignetError } from "../errors.ts";
import { appendToMachine } from "./create-token.ts";

/**
 * Revokes a personal access token, effective from the next call. Does nothing if the token is already revoked.
 *
 * @throws SignetError TOKEN_NOT_FOUND, or for a failure of the database.
 */
export async function revokeToken(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  id: string,
): Promise<void> {
  const found = isId(id)
    ? await db.selectFrom("tokens").select("id").where("id", "=", id).executeTakeFirst()
    : undefined;
  if (found === undefined) throw new SignetError("TOKEN_NOT_FOUND", `no token has the id "${id}"`);
  await runTransaction(db, { throwIfOver() {} }, async (transaction) => {
    const now = clock();
    const revoked = await transaction
      .updateTable("tokens")
      .set({ revoked_at: now })
      .where("id", "=", id)
      .where("revoked_at", "is", null)
      .returning(["org_id as orgId", "user_id as id"])
      .executeTakeFirst();
    if (revoked === undefined) return;
    await appendToMachine(transaction, revoked, now, { type: "user.token.revoked", payload: { tokenId: id } });
  });
}
