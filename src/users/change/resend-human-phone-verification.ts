import { sql } from "kysely";
import type { Actor, Self } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import type { Changed } from "../../events/object-details.ts";
import { limitOwnSms, type OwnMessageParts } from "./change-own-contact.ts";
import { changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";
import { requireChannel } from "./require-channel.ts";

/**
 * Sends a new SMS to verify the phone number of a human user (docs/reference/change-users.md). Its code replaces
 * earlier ones. For a user who has entered the number on a page, it is also limited by `countSms`.
 *
 * @throws SignetError USER_NOT_FOUND, PHONE_NOT_FOUND, PHONE_VERIFIED, SMS_PROVIDER_MISSING, USER_STATE if the user is
 *   deactivated or locked, TOO_MANY_MESSAGES, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function resendHumanPhoneVerification(
  parts: OwnMessageParts,
  { userId }: { readonly userId: string },
  call: Call<Actor>,
): Promise<Changed> {
  requireChannel(parts.outbox, "sms");
  // The statement uses the stored number.
  const plans = [toPlan([], parts.outbox.phoneVerification(""))];
  const resend = () => changeUser(parts, RESEND, { userId, plans }, call);
  const phone = call.kind === "self" ? await findPhone(parts.db, call) : undefined;
  return phone === undefined ? await resend() : await limitOwnSms(parts, { orgId: call.orgId, phone }, resend, call);
}

/** Undefined for a user without a number. */
async function findPhone(db: Database, call: Call<Self>): Promise<string | undefined> {
  const [user] = await selectPhone(db, { orgId: call.orgId, userId: call.userId }, call);
  return user?.phone ?? undefined;
}

const selectPhone = prepareStatement<{ orgId: string; userId: string }, { phone: string | null }>((db, param) =>
  db
    .selectFrom("users")
    .select("phone")
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("userId", "uuid")),
);

const RESEND = prepareUserChange({
  name: "resend_human_phone_verification",
  kind: "human",
  refuse: sql`case
    when users.state <> 'active' then 'USER_STATE'
    when users.phone is null then 'PHONE_NOT_FOUND'
    when users.phone_verified then 'PHONE_VERIFIED' end`,
  limitedKind: "phone",
  recipient: () => sql`users.phone`,
});
