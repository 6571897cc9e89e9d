import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";
import { requireChannel } from "../change/require-channel.ts";

/**
 * Sends a human user a link to set a new password, to the verified address or number (docs/reference/credentials.md).
 * Replaces earlier links.
 *
 * @throws SignetError USER_NOT_FOUND, MAIL_SERVER_MISSING, SMS_PROVIDER_MISSING, USER_STATE if the user is deactivated
 *   or locked, RECIPIENT_NOT_VERIFIED, TOO_MANY_MESSAGES, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function sendPasswordReset(
  parts: ChangeUserParts,
  { userId, channel }: { readonly userId: string; readonly channel: "email" | "sms" },
  call: Call<Actor>,
): Promise<Changed> {
  requireChannel(parts.outbox, channel);
  // The statement uses the stored recipient.
  const plans = [toPlan([], parts.outbox.passwordReset(channel))];
  return await changeUser(parts, REQUEST_RESET, { userId, channel, plans }, call);
}

/** The address or number that the user has verified; null if there is none. */
const recipient = sql<string | null>`
  case when given.channel = 'sms' then case when users.phone_verified then users.phone end
    when users.email_verified then users.email end`;

const REQUEST_RESET = prepareUserChange<{ channel: "email" | "sms" }>({
  name: "send_password_reset",
  kind: "human",
  columns: { channel: "text" },
  refuse: sql`case
    when users.state <> 'active' then 'USER_STATE'
    when (${recipient}) is null then 'RECIPIENT_NOT_VERIFIED' end`,
  limitedKind: "password",
  separatesCallers: true,
  recipient: () => sql`(${recipient})`,
});
