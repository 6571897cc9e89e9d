import { sql } from "kysely";
import type { Call } from "../call.ts";
import { isId, NIL_ID } from "../crypto/secrets.ts";
import type { Changed } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "../users/change/change-user.ts";
import { prepareUserChange } from "../users/change/prepare-user-change.ts";

/**
 * Revokes a personal access token of a machine user, effective from the next call (docs/reference/machine-users.md).
 *
 * @throws SignetError USER_NOT_FOUND, TOKEN_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function removePersonalAccessToken(
  parts: ChangeUserParts,
  { userId, tokenId: given }: { readonly userId: string; readonly tokenId: string },
  call: Call,
): Promise<Changed> {
  const tokenId = isId(given) ? given.toLowerCase() : NIL_ID;
  const plans = [toPlan([{ type: "user.token.revoked", payload: { tokenId } }])];
  return await changeUser(parts, REMOVE_TOKEN, { userId, tokenId, plans }, call);
}

const REMOVE_TOKEN = prepareUserChange<{ tokenId: string }>({
  name: "remove_personal_access_token",
  kind: "machine",
  columns: { tokenId: "uuid" },
  refuse: sql`case when not exists (
    select from tokens
    where tokens.org_id = users.org_id and tokens.user_id = users.id and tokens.id = given."tokenId"
      and tokens.revoked_at is null)
    then 'TOKEN_NOT_FOUND' end`,
  writes: (planned) => sql`(
    update tokens set revoked_at = ${planned("now", "timestamptz")} from planned
    where tokens.org_id = ${planned("ownerId", "uuid")} and tokens.user_id = ${planned("aggregateId", "uuid")}
      and tokens.id = ${planned("tokenId", "uuid")})`,
  set: () => ({}),
});
