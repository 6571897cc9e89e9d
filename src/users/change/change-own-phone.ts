import { sql } from "kysely";
import type { Self } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { changeUser, toPlan } from "./change-user.ts";
import { limitOwnSms, type OwnMessageParts } from "./limit-own-messages.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Changes the phone number of a user who has entered it on a page, and sends an SMS to verify it if an SMS provider is
 * configured. Unlike `updateHumanPhone`, it limits the messages, because users may enter any number: those of the user,
 * and those of `countSms`.
 *
 * @param change `phone`: E.164. If it is already stored, nothing changes but for a new SMS if it is not verified.
 * @throws SignetError USER_NOT_FOUND, USER_STATE, TOO_MANY_MESSAGES, ABORTED, or for a failure of the database.
 */
export async function changeOwnPhone(
  parts: OwnMessageParts,
  { userId, phone }: { readonly userId: string; readonly phone: string },
  call: Call<Self>,
): Promise<Changed> {
  const { outbox } = parts;
  const changed = { type: "user.human.phone.changed", payload: { phone } } as const;
  const plans = [toPlan([changed], ...(outbox.sendsSms ? [outbox.phoneVerification(phone)] : []))];
  const change = () => changeUser(parts, CHANGE_PHONE, { userId, phone, plans }, call);
  return outbox.sendsSms ? await limitOwnSms(parts, { orgId: call.orgId, phone }, change, call) : await change();
}

const CHANGE_PHONE = prepareUserChange<{ phone: string }>({
  name: "change_own_phone",
  kind: "human",
  columns: { phone: "text" },
  refuse: sql`case when users.state <> 'active' then 'USER_STATE' end`,
  limitedKind: "phone",
  notice: "phone-changed",
  choose: (given) => sql`case
    when users.phone is not distinct from ${given("phone", "text")} and users.phone_verified then null
    else 0 end`,
  isStored: (given) => sql`(users.phone is not distinct from ${given("phone", "text")})`,
  set: (given) => ({ phone: given("phone", "text"), phone_verified: sql`false` }),
});
