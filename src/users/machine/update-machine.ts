import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { differsFrom } from "../../database/differs-from.ts";
import type { Param } from "../../database/prepare.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";
import type { MachineChange, MachineFields } from "./check-machine.ts";

/**
 * Replaces the name and the description of a machine user (docs/reference/machine-users.md). If both are already
 * stored, nothing changes.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export async function updateMachine(
  parts: ChangeUserParts,
  { userId, name, description }: MachineChange,
  call: Call,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.machine.changed", payload: { name, description } }])];
  return await changeUser(parts, UPDATE_MACHINE, { userId, name, description, plans }, call);
}

const UPDATE_MACHINE = prepareUserChange<MachineFields>({
  name: "update_machine",
  kind: "machine",
  columns: { name: "text", description: "text" },
  choose: (given) => sql`case when ${differsFrom("users", machineColumns(given))} then 0 end`,
  set: machineColumns,
});

function machineColumns(given: Param<MachineFields>) {
  return { display_name: given("name", "text"), description: given("description", "text") };
}
