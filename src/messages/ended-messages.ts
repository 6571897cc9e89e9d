import { sql } from "kysely";
import { prepareStatement } from "../database/prepare.ts";
import { PURGE_BATCH, type Purge } from "../database/purge.ts";

/** Messages that were sent, have expired or have failed. */
export const ENDED_MESSAGES: Purge = {
  what: "messages",
  async deleteBatch(db, before) {
    const [row] = await deleteMessages(db, { before });
    return row?.deleted ?? 0;
  },
};

/** Expires the code of a message that has failed, so that it is deleted too. */
const deleteMessages = prepareStatement<{ before: Date }, { deleted: number }>((db, param) =>
  db
    .with(
      (cte) => cte("ended").materialized(),
      (query) =>
        query
          .selectFrom("messages")
          .select(["org_id", "id", "code_id", "ended_at"])
          .where("ended_at", "<", param("before", "timestamptz"))
          .orderBy("ended_at")
          .limit(sql.lit(PURGE_BATCH))
          .forUpdate()
          .skipLocked(),
    )
    .with("deleted", (query) =>
      query
        .deleteFrom("messages")
        .using("ended")
        .whereRef("messages.org_id", "=", "ended.org_id")
        .whereRef("messages.id", "=", "ended.id"),
    )
    .with("coded", (query) =>
      query
        .updateTable("codes")
        .from("ended")
        .set({ expires_at: (eb) => eb.ref("ended.ended_at") })
        .whereRef("codes.org_id", "=", "ended.org_id")
        .whereRef("codes.id", "=", "ended.code_id")
        .where("codes.expires_at", "is", null),
    )
    .selectFrom("ended")
    .select(sql<number>`count(*)::int`.as("deleted")),
);
