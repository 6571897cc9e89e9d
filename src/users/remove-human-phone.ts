import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type RemoveHumanPhoneRequest,
  type RemoveHumanPhoneResponse,
  RemoveHumanPhoneResponseSchema,
} from "../../gen/signet/v1/user_change_pb.js";
import type { Call } from "../call.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Removes the phone number of a human user (docs/api.md). Without a number, nothing changes, and the response has the
 * details of the last event.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export async function removeHumanPhone(
  parts: ChangeUserParts,
  { userId }: RemoveHumanPhoneRequest,
  call: Call,
): Promise<RemoveHumanPhoneResponse> {
  const plans = [toPlan([{ type: "user.human.phone.removed", payload: {} }])];
  const user = await changeUser(parts, REMOVE_PHONE, { userId, plans }, call);
  return create(RemoveHumanPhoneResponseSchema, { details: toObjectDetails(user, call.orgId) });
}

const REMOVE_PHONE = prepareUserChange({
  name: "remove_human_phone",
  kind: "human",
  columns: {},
  choose: () => sql`case when users.phone is not null then 0 end`,
  set: () => ({ phone: sql`null`, phone_verified: sql`false` }),
});
