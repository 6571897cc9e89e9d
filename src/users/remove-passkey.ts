import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type RemoveHumanPasswordlessRequest,
  type RemoveHumanPasswordlessResponse,
  RemoveHumanPasswordlessResponseSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../call.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Removes a passkey of a human user (docs/api.md). Ends the user's sessions.
 *
 * @throws SignetError USER_NOT_FOUND, PASSKEY_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function removePasskey(
  parts: ChangeUserParts,
  { userId, tokenId }: RemoveHumanPasswordlessRequest,
  call: Call,
): Promise<RemoveHumanPasswordlessResponse> {
  const plans = [toPlan([{ type: "user.human.passwordless.removed", payload: { passkeyId: tokenId } }])];
  const user = await changeUser(parts, REMOVE_PASSKEY, { userId, passkeyId: tokenId, plans }, call);
  return create(RemoveHumanPasswordlessResponseSchema, { details: toObjectDetails(user, call.orgId) });
}

const REMOVE_PASSKEY = prepareUserChange<{ passkeyId: string }>({
  name: "remove_passkey",
  kind: "human",
  columns: { passkeyId: "text" },
  refuse: sql`case when not exists (
    select from passkeys
    where passkeys.org_id = users.org_id and passkeys.user_id = users.id and passkeys.id = given."passkeyId")
    then 'PASSKEY_NOT_FOUND' end`,
  removes: (planned) => sql`(
    delete from passkeys using planned
    where passkeys.org_id = ${planned("ownerId", "uuid")} and passkeys.user_id = ${planned("aggregateId", "uuid")}
      and passkeys.id = ${planned("passkeyId", "text")})`,
  endsSessions: true,
  set: () => ({}),
});
