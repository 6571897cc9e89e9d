import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type UnlockUserRequest,
  type UnlockUserResponse,
  UnlockUserResponseSchema,
} from "../../gen/signet/v1/user_change_pb.js";
import type { Call } from "../call.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Unlocks a locked user (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, USER_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export async function unlockUser(
  parts: ChangeUserParts,
  { id }: UnlockUserRequest,
  call: Call,
): Promise<UnlockUserResponse> {
  const plans = [toPlan([{ type: "user.unlocked", payload: {} }])];
  const user = await changeUser(parts, UNLOCK, { userId: id, plans }, call);
  return create(UnlockUserResponseSchema, { details: toObjectDetails(user, call.orgId) });
}

const UNLOCK = prepareUserChange({
  name: "unlock_user",
  columns: {},
  refuse: sql`case when users.state <> 'locked' then 'USER_STATE' end`,
  set: () => ({ state: sql.lit("active") }),
});
