import { sql } from "kysely";
import type { Actor } from "../../actor.ts";
import type { Call } from "../../call.ts";
import { isId, NIL_ID } from "../../crypto/secrets.ts";
import { orgOf } from "../../database/command-list.ts";
import { idpLinkTaken } from "../../database/failure.ts";
import { type Problems, SignetError } from "../../errors.ts";
import type { IdpLinkPayload } from "../../events/catalogue.ts";
import type { Changed } from "../../events/object-details.ts";
import { trimText } from "../../fields/trim-text.ts";
import { checkName } from "../check-profile.ts";
import { canSignInWithout } from "./can-sign-in-without.ts";
import { type ChangeUserParts, changeUser, toPlan } from "./change-user.ts";
import { prepareUserChange } from "./prepare-user-change.ts";
import { prepareUserOperation } from "./prepare-user-operation.ts";

/** A checked AddHumanLinkedIDPRequest. The id of the provider may be unknown or malformed. */
interface NewIdpLink extends IdpLinkPayload {
  readonly userId: string;
}

/** Checks the rules of AddHumanLinkedIDPRequest that the schema cannot express. */
export function checkNewIdpLink(
  { userId, idpId, externalUserId, ...given }: NewIdpLink,
  problems: Problems,
): NewIdpLink {
  const displayName = trimText(given.displayName);
  checkName("displayName", displayName, problems);
  return { userId, idpId, externalUserId, displayName };
}

/**
 * Links a human user in any state to an external user (docs/reference/credentials.md), who can then sign in as the
 * user.
 *
 * @throws SignetError USER_NOT_FOUND, PERMISSION_DENIED, IDP_NOT_FOUND, IDP_LINK_TAKEN, ABORTED, or for a failure of the
 *   database.
 */
export async function addIdpLink(
  parts: ChangeUserParts,
  { userId, ...given }: NewIdpLink,
  call: Call,
): Promise<Changed> {
  const link = { ...given, idpId: isId(given.idpId) ? given.idpId.toLowerCase() : NIL_ID };
  const plans = [toPlan([{ type: "user.human.idp.linked", payload: link }])];
  const values = { userId, ...link, instanceId: call.instanceId, plans };
  return await changeUser(parts, ADD_LINK, values, call).catch((error: unknown) => {
    throw toLinkError(error, given.idpId);
  });
}

/** The reasons are also those of violated constraints, whose errors name the fields of an import. */
function toLinkError(error: unknown, idpId: string): unknown {
  if (!(error instanceof SignetError)) return error;
  if (error.reason === "IDP_LINK_TAKEN") return idpLinkTaken(["externalUserId"]);
  if (error.reason !== "IDP_NOT_FOUND") return error;
  return new SignetError("IDP_NOT_FOUND", UNKNOWN_IDP, { metadata: { field: "idpId", idpId } });
}

const UNKNOWN_IDP = "idpId: no identity provider of the organization or the instance has this id";

const PROVIDERS = sql`idps where idps.id = given."idpId" and idps.owner_id in (given."ownerId", given."instanceId")`;

const ADD_LINK = prepareUserChange<IdpLinkPayload & { instanceId: string }>({
  name: "add_idp_link",
  kind: "human",
  columns: { idpId: "uuid", externalUserId: "text", displayName: "text", instanceId: "uuid" },
  refuse: sql`case when not exists (select from ${PROVIDERS}) then 'IDP_NOT_FOUND' end`,
  // If the provider is removed at the same time, the removal waits and removes the link, or the foreign key is violated.
  writes: () => sql`(
    insert into user_idp_links
      (org_id, idp_id, external_user_id, idp_owner_id, user_id, display_name, created_at)
    select ${orgOf("planned")}, given."idpId", given."externalUserId",
      (select idps.owner_id from ${PROVIDERS}), given."aggregateId", given."displayName", changed.changed_at
    from planned as given join changed on changed.number = given.number
    order by given."idpId", given."externalUserId")`,
  notice: "provider-linked",
});

const isGiven = sql<boolean>`(link.idp_id = given."idpId" and link.external_user_id = given."externalUserId")`;

/**
 * Removes a human user's link to an external identity provider (docs/reference/credentials.md). Ends the user's
 * sessions. Users themselves cannot remove their only way to sign in.
 *
 * @throws SignetError USER_NOT_FOUND, IDP_LINK_NOT_FOUND, ONLY_WAY_IN, PERMISSION_DENIED, ABORTED, or for a failure of the database.
 */
export const removeIdpLink = prepareUserOperation<
  { readonly userId: string; readonly idpId: string; readonly linkedUserId: string },
  { idpId: string; externalUserId: string; keepsWayIn: boolean },
  Actor
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
