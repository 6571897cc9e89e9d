import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type SendHumanResetPasswordNotificationRequest,
  SendHumanResetPasswordNotificationRequest_Type,
  type SendHumanResetPasswordNotificationResponse,
  SendHumanResetPasswordNotificationResponseSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../call.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";
import { requireChannel } from "./require-channel.ts";

/**
 * Sends a human user a link to set a new password, to the verified address or number (docs/api.md). Replaces earlier
 * links.
 *
 * @throws SignetError USER_NOT_FOUND, MAIL_SERVER_MISSING, SMS_PROVIDER_MISSING, USER_STATE if the user is deactivated
 *   or locked, RECIPIENT_NOT_VERIFIED, TOO_MANY_MESSAGES, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function sendPasswordReset(
  parts: ChangeUserParts,
  { userId, type }: SendHumanResetPasswordNotificationRequest,
  call: Call,
): Promise<SendHumanResetPasswordNotificationResponse> {
  const channel = type === SendHumanResetPasswordNotificationRequest_Type.SMS ? "sms" : "email";
  requireChannel(parts.outbox, channel);
  // The statement uses the stored recipient.
  const plans = [toPlan([], parts.outbox.passwordReset(channel))];
  const user = await changeUser(parts, REQUEST_RESET, { userId, channel, plans }, call);
  return create(SendHumanResetPasswordNotificationResponseSchema, { details: toObjectDetails(user, call.orgId) });
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
  recipient: () => sql`(${recipient})`,
  set: () => ({}),
});
