import { type Call, requireUser } from "../../call.ts";
import { type GetUserByIdParts, getUserById } from "./get-user-by-id.ts";
import type { UserRow } from "./user-row.ts";

/**
 * Returns the user of the caller's token (docs/reference/read-users.md), whatever organization the call acts on.
 *
 * @throws SignetError USER_NOT_FOUND if the user was removed during the call, or for a failure of the database.
 */
export async function getMyUser(
  parts: GetUserByIdParts,
  _fields: object,
  given: Call,
): Promise<UserRow & { readonly hasUnusableOtpCode: boolean }> {
  const call = requireUser(given);
  return await getUserById(parts, { id: call.userId }, { ...call, orgId: call.userOrgId });
}
