import { createOperatorCall } from "../call.ts";
import { invalidArgument, type Violation } from "../errors.ts";
import type { ChangeParts } from "../events/change-object.ts";
import { addOrg } from "./change-org.ts";
import { checkOrgName } from "./check-org-name.ts";

/**
 * Creates an organization for the operator of the service. Names are unique ignoring case.
 *
 * @returns The new id.
 * @throws SignetError INVALID_ARGUMENT, ORG_NAME_TAKEN, or for a failure of the database.
 */
export async function createOrg(parts: ChangeParts, givenName: string): Promise<string> {
  const violations: Violation[] = [];
  const add = (field: string, description: string) => violations.push({ field, description });
  const fields = checkOrgName({ name: givenName }, { add });
  if (violations.length > 0) throw invalidArgument(...violations);
  // Adding an organization reaches no other object.
  const { id } = await addOrg(parts, fields, createOperatorCall({ instanceId: "", orgId: "" }));
  return id;
}
