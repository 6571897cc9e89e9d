import { sql } from "kysely";
import { prepareStatement } from "../database/prepare.ts";
import { PURGE_BATCH, type Purge } from "../database/purge.ts";

/** Codes that were used or have expired. The limits of attempts and messages need those of the last 24 hours only. */
export const ENDED_CODES: Purge = {
  what: "codes",
  async deleteBatch(db, before) {
    const [row] = await deleteCodes(db, { before });
    return row?.deleted ?? 0;
  },
};

/** The condition names the index `codes__ended`. */
const deleteCodes = prepareStatement<{ before: Date }, { deleted: number }>((db, param) =>
  db
    .with(
      (cte) => cte("ended").materialized(),
      (query) =>
        query
          .selectFrom("codes")
          .select(["org_id", "id"])
          .where(sql<boolean>`(used_at is not null or expires_at is not null)`)
          .where(sql<boolean>`least(used_at, expires_at) < ${param("before", "timestamptz")}`)
          .orderBy(sql`least(used_at, expires_at)`)
          .limit(sql.lit(PURGE_BATCH))
          .forUpdate()
          .skipLocked(),
    )
    .with("deleted", (query) =>
      query
        .deleteFrom("codes")
        .using("ended")
        .whereRef("codes.org_id", "=", "ended.org_id")
        .whereRef("codes.id", "=", "ended.id"),
    )
    .selectFrom("ended")
    .select(sql<number>`count(*)::int`.as("deleted")),
);
