import { sql } from "kysely";
import { prepareStatement } from "../database/prepare.ts";
import { PURGE_BATCH, type Purge } from "../database/purge.ts";

/**
 * Counters of attempts, and used challenges, that have expired. Without an index, which would make each count slower:
 * a batch reads at most the whole table, which has a row for each address and user name that recently failed.
 */
export const ENDED_ATTEMPTS: Purge = {
  what: "counters of attempts",
  isImmediate: true,
  async deleteBatch(db, before) {
    const [row] = await deleteExpired(db, { before: BigInt(before.getTime()) });
    return row?.deleted ?? 0;
  },
};

const deleteExpired = prepareStatement<{ before: bigint }, { deleted: number }>((db, param) =>
  db
    .with("ended", (with_) =>
      with_
        .selectFrom("rate_limits")
        .select("key")
        .where("expire", "<", param("before", "bigint"))
        .limit(sql.lit(PURGE_BATCH))
        .forUpdate()
        .skipLocked(),
    )
    .with("deleted", (with_) =>
      with_.deleteFrom("rate_limits").using("ended").whereRef("rate_limits.key", "=", "ended.key"),
    )
    .selectFrom("ended")
    .select(sql<number>`count(*)::int`.as("deleted")),
);
