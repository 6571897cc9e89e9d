import { sql } from "kysely";
import type { Self } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { changeUser, toPlan } from "./change-user.ts";
import { limitOwnEmail, type OwnMessageParts } from "./limit-own-messages.ts";
import { prepareUserChange } from "./prepare-user-change.ts";
import { requireChannel } from "./require-channel.ts";

/**
 * Sends users a link to the address that they want to use from now on. The current address stays until the link is
 * used (`confirmEmailChange`): a mistyped one would otherwise lock them out. Replaces earlier links. Limited for the user,
 * and for the address, which may be anybody's.
 *
 * @param change `email`: as accepted by `describeEmailProblem`.
 * @throws SignetError USER_NOT_FOUND, MAIL_SERVER_MISSING, USER_STATE, TOO_MANY_MESSAGES, ABORTED, or for a failure of
 *   the database.
 */
export async function requestEmailChange(
  parts: OwnMessageParts,
  { userId, email }: { readonly userId: string; readonly email: string },
  call: Call<Self>,
): Promise<Changed> {
  requireChannel(parts.outbox, "email");
  const plans = [toPlan([], parts.outbox.emailChange(email))];
  const request = () => changeUser(parts, REQUEST_CHANGE, { userId, plans }, call);
  return await limitOwnEmail(parts, { orgId: call.orgId, email }, request);
}

const REQUEST_CHANGE = prepareUserChange({
  name: "request_email_change",
  kind: "human",
  refuse: sql`case when users.state <> 'active' then 'USER_STATE' end`,
  limitedKind: "email-change",
});
