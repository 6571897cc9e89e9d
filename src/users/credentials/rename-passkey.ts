import { sql } from "kysely";
import type { Self } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";

/**
 * Gives a passkey another name, which only its user and administrators see.
 *
 * @param change `name`: as accepted by `describeNameProblem`.
 * @throws SignetError USER_NOT_FOUND, PASSKEY_NOT_FOUND, ABORTED, or for a failure of the database.
 */
export async function renamePasskey(
  parts: ChangeUserParts,
  { userId, passkeyId, name }: { readonly userId: string; readonly passkeyId: string; readonly name: string },
  call: Call<Self>,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.human.passwordless.renamed", payload: { passkeyId, name } }])];
  return await changeUser(parts, RENAME_PASSKEY, { userId, passkeyId, name, plans }, call);
}

const RENAME_PASSKEY = prepareUserChange<{ passkeyId: string; name: string }>({
  name: "rename_passkey",
  kind: "human",
  columns: { passkeyId: "text", name: "text" },
  refuse: sql`case when not exists (
    select from passkeys
    where passkeys.org_id = users.org_id and passkeys.user_id = users.id and passkeys.id = given."passkeyId")
    then 'PASSKEY_NOT_FOUND' end`,
  writes: (planned) => sql`(
    update passkeys set name = ${planned("name", "text")} from planned
    where passkeys.org_id = ${planned("ownerId", "uuid")} and passkeys.user_id = ${planned("aggregateId", "uuid")}
      and passkeys.id = ${planned("passkeyId", "text")})`,
  set: () => ({}),
});
