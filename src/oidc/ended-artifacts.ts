import { sql } from "kysely";
import { prepareStatement } from "../database/prepare.ts";
import { PURGE_BATCH, type Purge } from "../database/purge.ts";

/** Sessions, grants, codes and tokens that have expired. */
export const ENDED_ARTIFACTS: Purge = {
  what: "sessions and tokens",
  isImmediate: true,
  async deleteBatch(db, before) {
    const [row] = await deleteArtifacts(db, { before });
    return row?.deleted ?? 0;
  },
};

const deleteArtifacts = prepareStatement<{ before: Date }, { deleted: number }>((db, param) =>
  db
    .with(
      (cte) => cte("ended").materialized(),
      (query) =>
        query
          .selectFrom("oidc_artifacts")
          .select(["kind", "key"])
          .where("expires_at", "<", param("before", "timestamptz"))
          .orderBy("expires_at")
          .limit(sql.lit(PURGE_BATCH))
          .forUpdate()
          .skipLocked(),
    )
    .with("deleted", (query) =>
      query
        .deleteFrom("oidc_artifacts")
        .using("ended")
        .whereRef("oidc_artifacts.kind", "=", "ended.kind")
        .whereRef("oidc_artifacts.key", "=", "ended.key"),
    )
    .selectFrom("ended")
    .select(sql<number>`count(*)::int`.as("deleted")),
);
