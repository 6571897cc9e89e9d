import { sql } from "kysely";
import { prepareStatement } from "../database/prepare.ts";
import { PURGE_BATCH, type Purge } from "../database/purge.ts";

/** Sign-ins with a provider that nobody has completed. */
export const ENDED_IDP_ATTEMPTS: Purge = {
  what: "sign-ins with a provider",
  isImmediate: true,
  async deleteBatch(db, before) {
    const [row] = await deleteAttempts(db, { before });
    return row?.deleted ?? 0;
  },
};

const deleteAttempts = prepareStatement<{ before: Date }, { deleted: number }>((db, param) =>
  db
    .with(
      (cte) => cte("ended").materialized(),
      (query) =>
        query
          .selectFrom("idp_attempts")
          .select("sign_in_hash")
          .where("expires_at", "<", param("before", "timestamptz"))
          .orderBy("expires_at")
          .limit(sql.lit(PURGE_BATCH))
          .forUpdate()
          .skipLocked(),
    )
    .with("deleted", (query) =>
      query.deleteFrom("idp_attempts").using("ended").whereRef("idp_attempts.sign_in_hash", "=", "ended.sign_in_hash"),
    )
    .selectFrom("ended")
    .select(sql<number>`count(*)::int`.as("deleted")),
);
