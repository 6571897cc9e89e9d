import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import { createId } from "../../crypto/secrets.ts";
import type { Database } from "../../database/database.ts";
import { userNameTaken } from "../../database/failure.ts";
import { prepareWrite } from "../../database/prepare-write.ts";
import type { RunTogether } from "../../database/run-together.ts";
import { createdColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../../events/object-details.ts";
import { explainTakenName } from "../create-name-taken-error.ts";
import { isFoundByOther, type NewName, NOBODY, toNewName } from "../found-by-other.ts";
import type { NewMachine } from "./check-machine.ts";

interface AddMachineUserParts {
  readonly db: Database;
  readonly runTogether: RunTogether;
  readonly clock: Clock;
}

/**
 * Adds a machine user to the organization (docs/reference/machine-users.md). It has no role and no token. Its name
 * follows the rules of `updateUserName`: another user's verified address or number is taken.
 *
 * @throws SignetError USER_NAME_TAKEN, or for a failure of the database.
 */
export async function addMachineUser(
  parts: AddMachineUserParts,
  machine: NewMachine,
  call: Call,
): Promise<Changed & { readonly userId: string }> {
  const userId = createId();
  const values = {
    ...machine,
    ownerId: call.orgId,
    aggregateId: userId,
    editorId: call.userId,
    ...toNewName(machine.userName),
    now: parts.clock(),
    events: eventsToJson([{ type: "user.machine.added", payload: { ...machine } }]),
  };
  return await explainTakenName(parts, machine.userName, call, insert());

  async function insert() {
    const [row] = await insertMachine(parts.db, values, call, { userId });
    if (row === undefined) throw userNameTaken();
    return { userId, ...toChanged(row, call.orgId) };
  }
}

interface InsertMachineValues extends EventValues, NewMachine, NewName {}

/** The user's details; no row if the name is another user's verified address or number. */
const insertMachine = prepareWrite<InsertMachineValues, ObjectRow>((db, param, returnRows) => {
  const columns = {
    org_id: param("ownerId", "uuid"),
    id: param("aggregateId", "uuid"),
    kind: sql.lit("machine"),
    user_name: param("userName", "text"),
    user_name_key: param("userNameKey", "text"),
    display_name: param("name", "text"),
    description: param("description", "text"),
    ...createdColumns(param),
  };
  const getter = { orgId: param("ownerId", "uuid"), userId: NOBODY };
  return returnRows(
    db
      .with("created", (query) =>
        query
          .insertInto("users")
          .columns(Object.keys(columns) as (keyof typeof columns)[])
          .expression(sql`select ${sql.join(Object.values(columns))} where not ${isFoundByOther(param, getter)}`)
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .with("result", (query) => query.selectFrom("created").selectAll()),
  );
});
