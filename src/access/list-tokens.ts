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
      "tokens.last_four",
      "users.user_name",
      "orgs.name as org_name",
      "tokens.created_at",
      "tokens.expires_at",
      "tokens.revoked_at",
    ])
    .orderBy("tokens.created_at")
    .orderBy("tokens.id")
    .execute();
}
