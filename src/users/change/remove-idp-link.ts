import { sql } from "kysely";
import { isId, NIL_ID } from "../../crypto/secrets.ts";
import { orgOf } from "../../database/command-list.ts";
import { canSignInWithout } from "./can-sign-in-without.ts";
import { prepareUserOperation } from "./prepare-user-operation.ts";

const isGiven = sql<boolean>`(link.idp_id = given."idpId" and link.external_user_id = given."externalUserId")`;

/**
 * Removes a human user's link to an external identity provider (docs/reference/credentials.md). Ends the user's
 * sessions. Users themselves cannot remove their only way to sign in.
 *
 * @throws SignetError USER_NOT_FOUND, IDP_LINK_NOT_FOUND, ONLY_WAY_IN, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export const removeIdpLink = prepareUserOperation<
  { readonly userId: string; readonly idpId: string; readonly linkedUserId: string },
  { idpId: string; externalUserId: string; keepsWayIn: boolean }
>({
  name: "remove_idp_link",
  kind: "human",
  columns: { idpId: "uuid", externalUserId: "text", keepsWayIn: "boolean" },
  toValues: ({ idpId, linkedUserId: externalUserId }, { kind }) => ({
    idpId: isId(idpId) ? idpId.toLowerCase() : NIL_ID,
    externalUserId,
    keepsWayIn: kind === "self",
  }),
  toEvents: ({ idpId, externalUserId }) => [{ type: "user.human.idp.unlinked", payload: { idpId, externalUserId } }],
  refuse: sql`case
    when not exists (
      select from user_idp_links as link
      where link.org_id = users.org_id and link.user_id = users.id and ${isGiven})
      then 'IDP_LINK_NOT_FOUND'
    when given."keepsWayIn" and not ${canSignInWithout({ link: isGiven })} then 'ONLY_WAY_IN' end`,
  writes: (planned) => sql`(
    delete from user_idp_links as link using planned
    where link.org_id = ${orgOf("planned")} and link.user_id = ${planned("aggregateId", "uuid")}
      and link.idp_id = ${planned("idpId", "uuid")}
      and link.external_user_id = ${planned("externalUserId", "text")})`,
  endsSessions: true,
  notice: "provider-unlinked",
});
