import { sql } from "kysely";
import { NIL_ID } from "../../crypto/secrets.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { EraseFiles, FiledMessage } from "../../messages/senders/message-file.ts";
import { ROWS_AT_ONCE } from "./delete-rows.ts";
import type { RemovalStep } from "./removal-step.ts";

/** Deletes the messages of an organization, and their files. */
export function deleteMessages(eraseFiles: EraseFiles): RemovalStep {
  return {
    async run(db, { id: orgId }, after = NIL_ID) {
      const [row] = await statement(db, { orgId, after });
      if (row === undefined || row.last === null) return { next: undefined };
      await eraseFiles(row.messages);
      return { next: row.messages.length < ROWS_AT_ONCE ? undefined : row.last };
    },
  };
}

const statement = prepareStatement<{ orgId: string; after: string }, { messages: FiledMessage[]; last: string | null }>(
  (_, param) => {
    const orgId = param("orgId", "uuid");
    return sql`
    with chosen as materialized (
      select id, channel, created_at from messages where org_id = ${orgId} and id >= ${param("after", "uuid")}
      order by org_id, id limit ${sql.lit(ROWS_AT_ONCE)} for update skip locked
    ), deleted as (
      delete from messages using chosen where messages.org_id = ${orgId} and messages.id = chosen.id
    )
    select (array_agg(id::text order by id desc))[1] as last,
      coalesce(jsonb_agg(jsonb_build_object('id', id, 'channel', channel, 'queuedAt', created_at)), '[]') as messages
    from chosen`;
  },
);
