import { sql } from "kysely";
import { type Actor, isAllowed } from "../actor.ts";
import { SignetError } from "../errors.ts";
import type { Change } from "../events/change-object.ts";

/**
 * Checks the users who are linked to a provider: anyone who changes it could sign in as them. The provider must be locked:
 * adding a link locks it too (the foreign key).
 *
 * @returns Whether there are any.
 * @throws SignetError PERMISSION_DENIED if one of them has a role, and the caller may not change that user.
 */
export async function checkLinkedUsers(
  { db }: Change,
  idp: { readonly owner_id: string; readonly id: string },
  actor: Actor,
): Promise<boolean> {
  const mayChangeMembers = isAllowed(actor, "org.member.write");
  const mayChangeAllMembers = isAllowed(actor, "iam.member.write");
  const { rows } = await sql<{ has_links: boolean; is_protected: boolean }>`
    select * from idp_links(${idp.owner_id}, ${idp.id}, ${mayChangeMembers}, ${mayChangeAllMembers})`.execute(db);
  if (rows[0]?.is_protected) throw linkedUserProtected();
  return rows[0]?.has_links === true;
}

function linkedUserProtected(): SignetError {
  return new SignetError(
    "PERMISSION_DENIED",
    "a user with a role is linked to the provider, and the caller may not change users with that role",
  );
}
