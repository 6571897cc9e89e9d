import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Ends sessions of a human user, with the tokens that applications obtained in them, in one statement no matter how
 * many there are (docs/reference/credentials.md).
 *
 * @param fields `sessionIds`: by default all, except that of a `self` who makes the call. Ids of no session are ignored.
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function endUserSessions(
  parts: ChangeUserParts,
  { userId, sessionIds = [] }: { readonly userId: string; readonly sessionIds?: readonly string[] },
  call: Call<Actor>,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.human.signed.out", payload: {} }])];
  if (sessionIds.length === 0) return await changeUser(parts, END_ALL, { userId, plans }, call);
  return await changeUser(parts, END_SOME, { userId, sessionIds, plans }, call);
}

const END_ALL = prepareUserChange({
  name: "end_user_sessions",
  kind: "human",
  endsSessions: true,
});

/**
 * A token that is stored at the same time remains without its session, and is therefore invalid. A sign-in in progress
 * may continue.
 */
const END_SOME = prepareUserChange<{ sessionIds: readonly string[] }>({
  name: "end_some_user_sessions",
  kind: "human",
  columns: { sessionIds: "jsonb" },
  choose: (given) => sql`case when exists (
    select from oidc_artifacts as session
    where session.user_id = users.id and session.kind = 'Session'
      and session.session_uid in (select jsonb_array_elements_text(${given("sessionIds", "jsonb")}))) then 0 end`,
  endsSessions: (planned) => sql`(
    delete from oidc_artifacts as artifact using planned
    where artifact.user_id = ${planned("aggregateId", "uuid")} and artifact.kind <> 'Interaction'
      and artifact.session_uid in (select jsonb_array_elements_text(${planned("sessionIds", "jsonb")}))
    returning artifact.kind, artifact.user_id, artifact.payload)`,
});
