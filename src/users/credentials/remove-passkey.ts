import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import type { Changed } from "../../events/object-details.ts";
import { canSignInWithout } from "../change/can-sign-in-without.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../change/change-user.ts";
import { prepareUserChange } from "../change/prepare-user-change.ts";

/**
 * Removes a passkey of a human user (docs/reference/credentials.md). Ends the user's sessions. Users themselves cannot
 * remove their only way to sign in.
 *
 * @throws SignetError USER_NOT_FOUND, PASSKEY_NOT_FOUND, ONLY_WAY_IN, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function removePasskey(
  parts: ChangeUserParts,
  { userId, tokenId }: { readonly userId: string; readonly tokenId: string },
  call: Call<Actor>,
): Promise<Changed> {
  const plans = [toPlan([{ type: "user.human.passwordless.removed", payload: { passkeyId: tokenId } }])];
  return await changeUser(
    parts,
    REMOVE_PASSKEY,
    { userId, passkeyId: tokenId, keepsWayIn: call.kind === "self", plans },
    call,
  );
}

const REMOVE_PASSKEY = prepareUserChange<{ passkeyId: string; keepsWayIn: boolean }>({
  name: "remove_passkey",
  kind: "human",
  columns: { passkeyId: "text", keepsWayIn: "boolean" },
  refuse: sql`case
    when not exists (
      select from passkeys
      where passkeys.org_id = users.org_id and passkeys.user_id = users.id and passkeys.id = given."passkeyId")
      then 'PASSKEY_NOT_FOUND'
    when given."keepsWayIn" and not ${canSignInWithout({ passkey: sql`passkeys.id = given."passkeyId"` })}
      then 'ONLY_WAY_IN' end`,
  writes: (planned) => sql`(
    delete from passkeys using planned
    where passkeys.org_id = ${planned("ownerId", "uuid")} and passkeys.user_id = ${planned("aggregateId", "uuid")}
      and passkeys.id = ${planned("passkeyId", "text")})`,
  endsSessions: true,
  notice: "passkey-removed",
  set: () => ({}),
});
