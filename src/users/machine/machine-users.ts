import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { createId } from "../../crypto/secrets.ts";
import { differsFrom } from "../../database/differs-from.ts";
import { userNameTaken } from "../../database/failure.ts";
import { type Param, prepareStatement } from "../../database/prepare.ts";
import type { RunTogether } from "../../database/run-together.ts";
import { addProblem, type Problems } from "../../errors.ts";
import { createdColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../../events/append-events.ts";
import { type ChangeParts, runChange } from "../../events/change-object.ts";
import { type Changed, type ObjectRow, toChanged } from "../../events/object-details.ts";
import { describeInvisibleProblem, describeNameProblem } from "../../fields/name.ts";
import { trimText } from "../../fields/trim-text.ts";
import { describeUserNameProblem } from "../../fields/user-name.ts";
import { prepareUserOperation } from "../change/prepare-user-operation.ts";
import { isFoundByOther, type NewName, NOBODY, toNewName } from "../found-by-other.ts";
import { explainTakenName } from "../taken-errors.ts";

/** The name to show and the description of a machine user; null if it has no description. */
interface MachineFields {
  readonly name: string;
  readonly description: string | null;
}

/** A checked AddMachineUserRequest. */
interface NewMachine extends MachineFields {
  readonly userName: string;
}

/** A checked UpdateMachineRequest. */
interface MachineChange extends MachineFields {
  readonly userId: string;
}

interface GivenFields {
  readonly name: string;
  readonly description: string;
}

/** Checks the rules of AddMachineUserRequest that the schema cannot express, and trims its fields. */
export function checkNewMachine(request: GivenFields & { readonly userName: string }, problems: Problems): NewMachine {
  const userName = trimText(request.userName);
  addProblem(problems, "userName", describeUserNameProblem(userName));
  return { userName, ...checkFields(request, problems) };
}

/** Checks the rules of UpdateMachineRequest that the schema cannot express, and trims its fields. */
export function checkMachineChange(
  request: GivenFields & { readonly userId: string },
  problems: Problems,
): MachineChange {
  return { userId: request.userId, ...checkFields(request, problems) };
}

function checkFields(request: GivenFields, problems: Problems): MachineFields {
  const name = trimText(request.name);
  const description = trimText(request.description);
  addProblem(problems, "name", describeNameProblem(name));
  if (description !== "")
    addProblem(problems, "description", describeInvisibleProblem(description, { sequences: true }));
  return { name, description: description || null };
}

/**
 * Adds a machine user to the organization (docs/reference/machine-users.md). It has no role and no token. Its name
 * follows the rules of `updateUserName`: another user's verified address or number is taken.
 *
 * @throws SignetError USER_NAME_TAKEN, or for a failure of the database.
 */
export async function addMachineUser(
  parts: ChangeParts & { readonly runTogether: RunTogether },
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
    events: eventsToJson([{ type: "user.machine.added", payload: { ...machine } }]),
  };
  const added = runChange(parts, call, async ({ db, now }) => {
    const [row] = await insertMachine(db, { ...values, now });
    if (row === undefined) throw userNameTaken();
    return { userId, ...toChanged(row, call.orgId) };
  });
  return await explainTakenName(parts, machine.userName, call, added);
}

interface InsertMachineValues extends EventValues, NewName {
  name: string | null;
  description: string | null;
}

/** The user's details; no row if the name is another user's verified address or number. */
export const insertMachine = prepareStatement<InsertMachineValues, ObjectRow>((db, param) => {
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
  return db
    .with("created", (query) =>
      query
        .insertInto("users")
        .columns(Object.keys(columns) as (keyof typeof columns)[])
        .expression(sql`select ${sql.join(Object.values(columns))} where not ${isFoundByOther(param, getter)}`)
        .returning(["sequence", "created_at", "changed_at"]),
    )
    .with("appended", () => appendEvents(param, "created"))
    .selectFrom("created")
    .selectAll();
});

/**
 * Replaces the name and the description of a machine user (docs/reference/machine-users.md). If both are already
 * stored, nothing changes.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export const updateMachine = prepareUserOperation<MachineChange, MachineFields>({
  name: "update_machine",
  kind: "machine",
  columns: { name: "text", description: "text" },
  toValues: ({ name, description }) => ({ name, description }),
  toEvents: (payload) => [{ type: "user.machine.changed", payload }],
  choose: (given) => sql`case when ${differsFrom("users", machineColumns(given))} then 0 end`,
  set: machineColumns,
});

function machineColumns(given: Param<MachineFields>) {
  return { display_name: given("name", "text"), description: given("description", "text") };
}
