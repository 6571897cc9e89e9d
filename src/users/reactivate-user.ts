import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type ReactivateUserRequest,
  type ReactivateUserResponse,
  ReactivateUserResponseSchema,
} from "../../gen/signet/v1/user_change_pb.js";
import type { Call } from "../call.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Reactivates a deactivated user (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, USER_STATE, PERMISSION_DENIED, or for a failure of the database.
 */
export async function reactivateUser(
  parts: ChangeUserParts,
  { id }: ReactivateUserRequest,
  call: Call,
): Promise<ReactivateUserResponse> {
  const plans = [toPlan([{ type: "user.reactivated", payload: {} }])];
  const user = await changeUser(parts, REACTIVATE, { userId: id, plans }, call);
  return create(ReactivateUserResponseSchema, { details: toObjectDetails(user, call.orgId) });
}

const REACTIVATE = prepareUserChange({
  name: "reactivate_user",
  columns: {},
  refuse: sql`case when users.state <> 'inactive' then 'USER_STATE' end`,
  set: () => ({ state: sql.lit("active") }),
});
