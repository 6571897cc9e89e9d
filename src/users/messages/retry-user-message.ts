import { sql } from "kysely";
import type { Call } from "../../call.ts";
import { isId } from "../../crypto/secrets.ts";
import { orgOf } from "../../database/command-list.ts";
import type { Changed } from "../../events/object-details.ts";
import { stateAt } from "../../messages/find-messages.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";

/**
 * Makes a message to a human user due now that waits or has failed (docs/reference/messages.md). One that is being sent
 * would be sent twice, and the content of others is erased.
 *
 * @throws SignetError USER_NOT_FOUND, MESSAGE_NOT_FOUND, MESSAGE_STATE, PERMISSION_DENIED, ABORTED, or for a failure of
 *   the database.
 */
export async function retryUserMessage(
  parts: ChangeUserParts,
  { userId, messageId }: { readonly userId: string; readonly messageId: string },
  call: Call,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.human.message.retried", payload: { messageId } }])];
  const values = { userId, messageId: isId(messageId) ? messageId : null, plans };
  const changed = await changeUser(parts, RETRY, values, call);
  parts.outbox.announce([], [{ id: messageId }]);
  return changed;
}

const RETRY = prepareUserChange<{ messageId: string | null }>({
  name: "retry_user_message",
  kind: "human",
  columns: { messageId: "uuid" },
  refuse: sql`(
    select case
      when count(*) = 0 then 'MESSAGE_NOT_FOUND'
      when not bool_or(${stateAt(sql<Date>`given.now`)} in ('waiting', 'failed')) then 'MESSAGE_STATE' end
    from messages
    where messages.org_id = users.org_id and messages.id = given."messageId" and messages.user_id = users.id)`,
  writes: (planned) => sql`(
    update messages set state = 'waiting', next_attempt_at = ${planned("now", "timestamptz")}, ended_at = null
    from planned
    where messages.org_id = ${orgOf("planned")} and messages.id = ${planned("messageId", "uuid")}
      and ${stateAt(planned("now", "timestamptz"))} in ('waiting', 'failed'))`,
});
