import type { Database } from "../database/database.ts";

/** Lists all tokens without their secrets, in order of creation. */
export async function listTokens(db: Database) {
  return await db
    .selectFrom("tokens")
    .innerJoin("users", (join) =>
      join.onRef("users.org_id", "=", "tokens.org_id").onRef("users.id", "=", "tokens.user_id"),
    )
    .innerJoin("orgs", "orgs.id", "tokens.org_id")
    .where("orgs.removed_at", "is", null)
    .select([
      "tokens.id",
      "tokens.last_four as lastFour",
      "users.user_name as user",
      "orgs.name as org",
      "tokens.created_at as createdAt",
      "tokens.expires_at as expiresAt",
      "tokens.revoked_at as revokedAt",
    ])
    .orderBy("tokens.created_at")
    .orderBy("tokens.id")
    .execute();
}
