import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { createId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { OrgFields } from "./check-org-name.ts";

export interface ChangeOrgParts {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Adds an organization (docs/api.md). It has no members: only users with roles in the instance can act in it at first.
 *
 * @throws SignetError ORG_NAME_TAKEN, or for a failure of the database.
 */
export async function addOrg(
  { db, clock }: ChangeOrgParts,
  { name }: OrgFields,
  call: Call<Principal | Operator>,
): Promise<Changed & { readonly id: string }> {
  const id = createId();
  const values = {
    ownerId: id,
    aggregateId: id,
    editorId: call.userId,
    name,
    nameKey: userNameKey(name),
    now: clock(),
    events: eventsToJson([{ type: "org.added", payload: { name } }]),
  };
  const [row] = await insertOrg(db, values, call, { id });
  if (row === undefined) throw new Error("an insert returned no row");
  return { id, ...toChanged(row, id) };
}

const insertOrg = prepareWrite<EventValues & { name: string; nameKey: string }, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("created", (query) =>
        query
          .insertInto("orgs")
          .values({
            id: param("aggregateId", "uuid"),
            name: param("name", "text"),
            name_key: param("nameKey", "text"),
            ...createdColumns(param),
          })
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .with("result", (query) => query.selectFrom("created").selectAll()),
  ),
);
