import { sql } from "kysely";
import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { changedColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { ChangeOrgParts } from "./add-org.ts";
import type { OrgFields } from "./check-org-name.ts";
import { orgNotFound } from "./get-org.ts";

/**
 * Renames the organization of the call (docs/api.md). If it has the name, nothing changes.
 *
 * @throws SignetError ORG_NOT_FOUND, ORG_NAME_TAKEN, or for a failure of the database.
 */
export async function updateOrg(
  { db, clock }: ChangeOrgParts,
  { name }: OrgFields,
  call: Call<Principal | Operator>,
): Promise<Changed> {
  const id = call.orgId;
  const values = {
    ownerId: id,
    aggregateId: id,
    editorId: call.userId,
    name,
    nameKey: userNameKey(name),
    now: clock(),
    events: eventsToJson([{ type: "org.changed", payload: { name } }]),
  };
  const [row] = await renameOrg(db, values, call);
  if (row === undefined) throw orgNotFound(id, "the organization does not exist");
  return toChanged(row, id);
}

const renameOrg = prepareWrite<EventValues & { name: string; nameKey: string }, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("held", (query) =>
        query
          .selectFrom("orgs")
          .select(["id", "name", "sequence", "created_at", "changed_at"])
          .where("id", "=", param("aggregateId", "uuid"))
          .forNoKeyUpdate(),
      )
      .with("changed", (query) =>
        query
          .updateTable("orgs")
          .from("held")
          .set({ name: param("name", "text"), name_key: param("nameKey", "text"), ...changedColumns(param, "orgs") })
          .whereRef("orgs.id", "=", "held.id")
          .where("held.name", "<>", sql<string>`${param("name", "text")}`)
          .returning(["orgs.sequence", "orgs.changed_at"]),
      )
      .with("appended", () => appendEvents(param, "changed"))
      .with("result", (query) =>
        query
          .selectFrom("held")
          .leftJoin("changed", (join) => join.onTrue())
          .select("held.created_at")
          .select(({ fn }) => [
            fn.coalesce("changed.sequence", "held.sequence").as("sequence"),
            fn.coalesce("changed.changed_at", "held.changed_at").as("changed_at"),
          ]),
      ),
  ),
);
