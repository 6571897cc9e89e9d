import { type RawBuilder, sql } from "kysely";
import type { Call } from "../../call.ts";
import { orgOf } from "../../database/command-list.ts";
import type { Param } from "../../database/prepare.ts";
import type { Problems } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import { parsePhone } from "../../fields/phone.ts";
import { isNameOfOther } from "../found-by-other.ts";
import { storeVerifiedPhones } from "../verified-phones.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/** The fields of UpdateHumanPhoneRequest. */
interface PhoneRequest {
  readonly userId: string;
  readonly phone: string;
  readonly isPhoneVerified?: boolean | undefined;
  /** The number of the `Message`: 0 for the default, 1 for none. */
  readonly message?: number;
}

/** A checked UpdateHumanPhoneRequest. */
interface PhoneChange {
  readonly userId: string;
  /** E.164. */
  readonly phone: string;
  /** Null if it was not given. */
  readonly verified: boolean | null;
  /** Whether to send neither an SMS nor a notice. */
  readonly isQuiet?: boolean;
}

const MESSAGE_NONE = 1;

/** Checks the rules of UpdateHumanPhoneRequest that the schema cannot express, and parses the number. */
export function checkUpdateHumanPhone(request: PhoneRequest, problems: Problems): PhoneChange {
  const phone = parsePhone(request.phone);
  if (!phone.ok) problems.add("phone", phone.description);
  return {
    userId: request.userId,
    phone: phone.ok ? phone.e164 : "",
    verified: request.isPhoneVerified ?? null,
    isQuiet: request.message === MESSAGE_NONE,
  };
}

/**
 * Changes the phone number of a human user (docs/reference/change-users.md).
 *
 * If the number is already stored and verified, and not given as unverified, nothing changes, and the response has the
 * details of the last event. An unverified number gets an SMS if an SMS provider is configured, also if it is stored.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, PHONE_TAKEN, or for a failure of the database.
 */
export async function updateHumanPhone(
  parts: ChangeUserParts,
  { userId, phone, verified, isQuiet = false }: PhoneChange,
  call: Call,
): Promise<Changed> {
  const changed = { type: "user.human.phone.changed", payload: { phone } } as const;
  const sendsSms = parts.outbox.sendsSms && !isQuiet;
  const plan = verified
    ? toPlan([changed, { type: "user.human.phone.verified", payload: { phone } }])
    : toPlan([changed], ...(sendsSms ? [parts.outbox.phoneVerification(phone)] : []));
  return await changeUser(parts, UPDATE_PHONE, { userId, phone, verified, isQuiet, plans: [plan] }, call);
}

interface PhoneValues {
  readonly phone: string;
  readonly verified: boolean | null;
}

const UPDATE_PHONE = prepareUserChange<PhoneValues>({
  name: "update_human_phone",
  kind: "human",
  columns: { phone: "text", verified: "boolean" },
  refuse: (given) => sql`case
    when ${given("verified", "boolean")} and (users.phone is distinct from ${given("phone", "text")} or not users.phone_verified)
      and ${isNameOfOther(given("phone", "text"), "phone")} then 'PHONE_TAKEN' end`,
  choose: (given) => sql`case
    when ${isStored(given)} and users.phone_verified and coalesce(${given("verified", "boolean")}, true) then null
    else 0 end`,
  // The event of a number that becomes unverified is that of a new one.
  isStored: (given) => sql`(${isStored(given)} and not users.phone_verified)`,
  upserts: (planned) =>
    storeVerifiedPhones(sql`(
      select ${orgOf("planned")} as org_id, ${planned("aggregateId", "uuid")} as user_id,
        ${planned("phone", "text")} as phone
      from planned where ${planned("verified", "boolean")})`),
  notice: "phone-changed",
  notified: (given) => sql`case
    when users.email_verified and users.phone is distinct from ${given("phone", "text")} then users.email end`,
  set: (given) => ({
    phone: given("phone", "text"),
    phone_verified: sql`coalesce(${given("verified", "boolean")}, false)`,
  }),
});

function isStored(given: Param<PhoneValues>): RawBuilder<boolean> {
  return sql<boolean>`users.phone is not distinct from ${given("phone", "text")}`;
}
