import type { Call } from "../../call.ts";
import type { Clock } from "../../clock.ts";
import { createId } from "../../crypto/secrets.ts";
import type { Database } from "../../database/database.ts";
import { prepareWrite } from "../../database/prepare-write.ts";
import type { RunTogether } from "../../database/run-together.ts";
import { SignetError } from "../../errors.ts";
import { createdColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../../events/append-events.ts";
import { type Changed, type ObjectRow, toChanged } from "../../events/object-details.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { createNameTakenError } from "../create-name-taken-error.ts";
import type { NewMachine } from "./check-machine.ts";

interface AddMachineUserParts {
  readonly db: Database;
  readonly runTogether: RunTogether;
  readonly clock: Clock;
}

/**
 * Adds a machine user to the organization (docs/api.md). It has no role and no token.
 *
 * @throws SignetError USER_NAME_TAKEN, or for a failure of the database.
 */
export async function addMachineUser(
  { db, runTogether, clock }: AddMachineUserParts,
  machine: NewMachine,
  call: Call,
): Promise<Changed & { readonly userId: string }> {
  const userId = createId();
  const values = {
    ...machine,
    ownerId: call.orgId,
    aggregateId: userId,
    editorId: call.userId,
    userNameKey: userNameKey(machine.userName),
    now: clock(),
    events: eventsToJson([{ type: "user.machine.added", payload: { ...machine } }]),
  };
  try {
    const [row] = await insertMachine(db, values, call, { userId });
    if (row === undefined) throw new Error("an insert returned no row");
    return { userId, ...toChanged(row, call.orgId) };
  } catch (error) {
    const isTaken = error instanceof SignetError && error.reason === "USER_NAME_TAKEN";
    throw isTaken ? await createNameTakenError(runTogether, machine.userName, call) : error;
  }
}

interface InsertMachineValues extends EventValues, NewMachine {
  userNameKey: string;
}

const insertMachine = prepareWrite<InsertMachineValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("created", (query) =>
        query
          .insertInto("users")
          .values({
            org_id: param("ownerId", "uuid"),
            id: param("aggregateId", "uuid"),
            kind: "machine",
            user_name: param("userName", "text"),
            user_name_key: param("userNameKey", "text"),
            display_name: param("name", "text"),
            description: param("description", "text"),
            ...createdColumns(param),
          })
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .with("result", (query) => query.selectFrom("created").selectAll()),
  ),
);
