import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type UpdateHumanPhoneRequest,
  type UpdateHumanPhoneResponse,
  UpdateHumanPhoneResponseSchema,
} from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Problems } from "../errors.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { parsePhone } from "../fields/phone.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/** A checked UpdateHumanPhoneRequest. */
export interface PhoneChange {
  readonly userId: string;
  /** E.164. */
  readonly phone: string;
  readonly verified: boolean;
}

/** Checks the rules of UpdateHumanPhoneRequest that the schema cannot express, and parses the number. */
export function checkUpdateHumanPhone(request: UpdateHumanPhoneRequest, problems: Problems): PhoneChange {
  const phone = parsePhone(request.phone);
  if (!phone.ok) problems.add("phone", phone.description);
  return { userId: request.userId, phone: phone.ok ? phone.e164 : "", verified: request.isPhoneVerified };
}

/**
 * Changes the phone number of a human user (docs/api.md).
 *
 * If the number is already stored and verified, and given as verified again, nothing changes, and the response has the
 * details of the last event. An unverified number gets an SMS if an SMS provider is configured.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, or for a failure of the database.
 */
export async function updateHumanPhone(
  parts: ChangeUserParts,
  { userId, phone, verified }: PhoneChange,
  call: Call,
): Promise<UpdateHumanPhoneResponse> {
  const changed = { type: "user.human.phone.changed", payload: { phone } } as const;
  const plan = verified
    ? toPlan([changed, { type: "user.human.phone.verified", payload: { phone } }])
    : toPlan([changed], ...(parts.outbox.sendsSms ? [parts.outbox.phoneVerification(phone)] : []));
  const user = await changeUser(parts, UPDATE_PHONE, { userId, phone, verified, plans: [plan] }, call);
  return create(UpdateHumanPhoneResponseSchema, { details: toObjectDetails(user, call.orgId) });
}

const UPDATE_PHONE = prepareUserChange<Omit<PhoneChange, "userId">>({
  name: "update_human_phone",
  kind: "human",
  columns: { phone: "text", verified: "boolean" },
  // No plan if the number is already stored and verified, and given as verified.
  choose: (given) => sql`case
    when users.phone is not distinct from ${given("phone", "text")} and users.phone_verified
      and ${given("verified", "boolean")} then null
    else 0 end`,
  set: (given) => ({ phone: given("phone", "text"), phone_verified: given("verified", "boolean") }),
});
