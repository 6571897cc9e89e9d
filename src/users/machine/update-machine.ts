import { sql } from "kysely";
import { differsFrom } from "../../database/differs-from.ts";
import type { Param } from "../../database/prepare.ts";
import { prepareUserOperation } from "../change/prepare-user-operation.ts";
import type { MachineChange, MachineFields } from "./check-machine.ts";

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
