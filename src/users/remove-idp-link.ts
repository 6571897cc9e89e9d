import { create } from "@bufbuild/protobuf";
import { sql } from "kysely";
import {
  type RemoveHumanLinkedIDPRequest,
  type RemoveHumanLinkedIDPResponse,
  RemoveHumanLinkedIDPResponseSchema,
} from "../../gen/signet/v1/user_credential_pb.js";
import type { Call } from "../call.ts";
import { isId, NIL_ID } from "../crypto/secrets.ts";
import { orgOf } from "../database/command-list.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";

/**
 * Removes a human user's link to an external identity provider (docs/api.md). Ends the user's sessions.
 *
 * @throws SignetError USER_NOT_FOUND, IDP_LINK_NOT_FOUND, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export async function removeIdpLink(
  parts: ChangeUserParts,
  { userId, idpId: givenId, linkedUserId: externalUserId }: RemoveHumanLinkedIDPRequest,
  call: Call,
): Promise<RemoveHumanLinkedIDPResponse> {
  const idpId = isId(givenId) ? givenId.toLowerCase() : NIL_ID;
  const plans = [toPlan([{ type: "user.human.idp.unlinked", payload: { idpId, externalUserId } }])];
  const user = await changeUser(parts, REMOVE_LINK, { userId, idpId, externalUserId, plans }, call);
  return create(RemoveHumanLinkedIDPResponseSchema, { details: toObjectDetails(user, call.orgId) });
}

const REMOVE_LINK = prepareUserChange<{ idpId: string; externalUserId: string }>({
  name: "remove_idp_link",
  kind: "human",
  columns: { idpId: "uuid", externalUserId: "text" },
  refuse: sql`case when not exists (
    select from user_idp_links as link
    where link.org_id = users.org_id and link.user_id = users.id and link.idp_id = given."idpId"
      and link.external_user_id = given."externalUserId")
    then 'IDP_LINK_NOT_FOUND' end`,
  removes: (planned) => sql`(
    delete from user_idp_links as link using planned
    where link.org_id = ${orgOf("planned")} and link.user_id = ${planned("aggregateId", "uuid")}
      and link.idp_id = ${planned("idpId", "uuid")}
      and link.external_user_id = ${planned("externalUserId", "text")})`,
  endsSessions: true,
  set: () => ({}),
});
