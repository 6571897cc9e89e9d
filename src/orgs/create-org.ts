import { invalidArgument, type Violation } from "../errors.ts";
import { addOrg, type ChangeOrgParts } from "./add-org.ts";
import { checkOrgName } from "./check-org-name.ts";

/**
 * Creates an organization for the operator of the service. Names are unique ignoring case.
 *
 * @returns The new id.
 * @throws SignetError INVALID_ARGUMENT, ORG_NAME_TAKEN, or for a failure of the database.
 */
export async function createOrg(parts: ChangeOrgParts, givenName: string): Promise<string> {
  const violations: Violation[] = [];
  const add = (field: string, description: string) => violations.push({ field, description });
  const fields = checkOrgName({ name: givenName }, { add });
  if (violations.length > 0) throw invalidArgument(...violations);
  const operator = {
    kind: "operator",
    userId: null,
    orgId: "",
    signal: AbortSignal.any([]),
    throwIfOver() {},
  } as const;
  const { id } = await addOrg(parts, fields, operator);
  return id;
}
