import { sql } from "kysely";
import type { Principal, Self } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";
import { requireChannel } from "./require-channel.ts";

/**
 * Sends a new SMS to verify the phone number of a human user (docs/api.md). Its code replaces earlier ones.
 *
 * @throws SignetError USER_NOT_FOUND, PHONE_NOT_FOUND, PHONE_VERIFIED, SMS_PROVIDER_MISSING, USER_STATE if the user is
 *   deactivated or locked, TOO_MANY_MESSAGES, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function resendHumanPhoneVerification(
  parts: ChangeUserParts,
  { userId }: { readonly userId: string },
  call: Call<Principal | Self>,
): Promise<Changed> {
  requireChannel(parts.outbox, "sms");
  // The statement uses the stored number.
  const plans = [toPlan([], parts.outbox.phoneVerification(""))];
  return await changeUser(parts, RESEND, { userId, plans }, call);
}

const RESEND = prepareUserChange({
  name: "resend_human_phone_verification",
  kind: "human",
  columns: {},
  refuse: sql`case
    when users.state <> 'active' then 'USER_STATE'
    when users.phone is null then 'PHONE_NOT_FOUND'
    when users.phone_verified then 'PHONE_VERIFIED' end`,
  limitedKind: "phone",
  recipient: () => sql`users.phone`,
  set: () => ({}),
});
