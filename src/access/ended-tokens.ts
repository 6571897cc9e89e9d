import { sql } from "kysely";
import { prepareStatement } from "../database/prepare.ts";
import { PURGE_BATCH, type Purge } from "../database/purge.ts";

/** Personal access tokens that were revoked or have expired. */
export const ENDED_TOKENS: Purge = {
  what: "tokens",
  async deleteBatch(db, before) {
    const [row] = await deleteTokens(db, { before });
    return row?.deleted ?? 0;
  },
};

/** The condition names the index `tokens__ended`. */
const deleteTokens = prepareStatement<{ before: Date }, { deleted: number }>((db, param) =>
  db
    .with(
      (cte) => cte("ended").materialized(),
      (query) =>
        query
          .selectFrom("tokens")
          .select("id")
          .where(sql<boolean>`(revoked_at is not null or expires_at is not null)`)
          .where(sql<boolean>`least(revoked_at, expires_at) < ${param("before", "timestamptz")}`)
          .orderBy(sql`least(revoked_at, expires_at)`)
          .limit(sql.lit(PURGE_BATCH))
          .forUpdate()
          .skipLocked(),
    )
    .with("deleted", (query) => query.deleteFrom("tokens").using("ended").whereRef("tokens.id", "=", "ended.id"))
    .selectFrom("ended")
    .select(sql<number>`count(*)::int`.as("deleted")),
);
