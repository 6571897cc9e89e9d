import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { type Actor, isAllowed } from "../actor.ts";
import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";
import { type Change, holdObject } from "../events/change-object.ts";
import type { Owner } from "../owner.ts";
import { checkAddressTrust } from "./address-trust.ts";
import { CLIENT_SETTINGS, HARMLESS_SETTINGS, type IdpKind, type IdpSettings } from "./kinds.ts";
import { type IdpRow, idpNotFound } from "./list-idps.ts";

/** The provider of a request. */
export interface IdpId {
  readonly idpId: string;
  /** The name of the id in the request. */
  readonly field?: "id" | "idpId";
  /** One of any other kind is not found. */
  readonly kind?: IdpKind;
}

/**
 * Locks a provider of an owner.
 *
 * @throws SignetError IDP_NOT_FOUND, or PERMISSION_DENIED for one with a linked user whom the caller may not change.
 */
export async function holdIdp(change: Change, { idpId, field = "idpId", kind }: IdpId, owner: Owner, call: Call) {
  const idp = await holdObject(change, "idps", { owner_id: owner.id, id: idpId });
  if (idp === undefined || (kind ?? idp.kind) !== idp.kind) throw idpNotFound(owner, field, idpId);
  return { idp, hasLinks: await checkLinkedUsers(change, idp, call) };
}

/**
 * The same for a provider whose settings change.
 *
 * @throws SignetError as `holdIdp`, also PERMISSION_DENIED for one whose addresses are trusted (`checkAddressTrust`).
 */
export async function holdIdpToChange(change: Change, id: IdpId, owner: Owner, call: Call) {
  const { idp, hasLinks } = await holdIdp(change, id, owner, call);
  checkAddressTrust({ autoLinking: idp.auto_linking, ...(idp.config as IdpSettings) }, owner, call);
  return { idp, hasLinks };
}

/** What decides whom a provider names. */
type Identity = Pick<IdpRow, "issuer" | "client_id"> & { readonly config: object };

/**
 * Checks a change of a provider with links. The issuer or the endpoints decide who is signed in, together with the client.
 *
 * @throws SignetError IDP_HAS_LINKS for another issuer or other endpoints, PERMISSION_DENIED for another client if the
 *   caller may not change users.
 */
export function checkIdentity(idp: Identity, given: Identity, actor: Actor): void {
  const endpoints = ({ config }: Identity) => without([...CLIENT_SETTINGS, ...HARMLESS_SETTINGS], config);
  if (idp.issuer !== given.issuer || !isDeepStrictEqual(endpoints(idp), endpoints(given))) {
    const message =
      "issuer: cannot be changed while users are linked to the provider, and neither can endpoints, because another " +
      "one could name any of them; add a new provider";
    throw new SignetError("IDP_HAS_LINKS", message, { metadata: { field: "issuer" } });
  }
  const client = ({ config }: Identity) => without(HARMLESS_SETTINGS, config);
  const isSame = idp.client_id === given.client_id && isDeepStrictEqual(client(idp), client(given));
  if (isSame || isAllowed(actor, "user.write")) return;
  const permission = "user.write";
  const message = `clientId: the caller lacks the permission ${permission}, and users are linked to the provider`;
  throw new SignetError("PERMISSION_DENIED", message, { metadata: { permission } });
}

function without(names: readonly string[], settings: object): object {
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== undefined && !names.includes(name)),
  );
}

/**
 * Checks the users who are linked to a provider: anyone who changes it could sign in as them. The provider must be locked:
 * adding a link locks it too (the foreign key).
 *
 * @returns Whether there are any.
 * @throws SignetError PERMISSION_DENIED if one of them has a role, and the caller may not change that user.
 */
async function checkLinkedUsers(
  { db }: Change,
  idp: { readonly owner_id: string; readonly id: string },
  actor: Actor,
): Promise<boolean> {
  const mayChangeMembers = isAllowed(actor, "org.member.write");
  const mayChangeAllMembers = isAllowed(actor, "iam.member.write");
  const { rows } = await sql<{ has_links: boolean; is_protected: boolean }>`
    select * from idp_links(${idp.owner_id}, ${idp.id}, ${mayChangeMembers}, ${mayChangeAllMembers})`.execute(db);
  if (rows[0]?.is_protected) {
    const message = "a user with a role is linked to the provider, and the caller may not change users with that role";
    throw new SignetError("PERMISSION_DENIED", message);
  }
  return rows[0]?.has_links === true;
}
