import { runTransaction } from "../database/run-transaction.ts";
import { SignetError } from "../errors.ts";
import type { ChangeParts } from "../events/change-object.ts";
import { ROLES, type Role } from "../roles.ts";
import { holdMember, writeRoles } from "./hold-member.ts";

/** A user's role in a scope: the instance for an instance role, an organization otherwise. */
interface Grant {
  readonly user: { readonly id: string; readonly orgId: string };
  readonly role: Role;
  readonly scopeId: string;
}

/**
 * Grants a role to a user, in addition to existing roles. Does nothing if the user already has the role.
 *
 * @throws SignetError USER_NOT_FOUND, ORG_NOT_FOUND, or for a failure of the database.
 */
export async function grantRole({ db, clock }: ChangeParts, { user, role, scopeId }: Grant): Promise<void> {
  const { scope: kind } = ROLES[role];
  await runTransaction(db, { throwIfOver() {} }, async (transaction) => {
    const change = { db: transaction, now: clock(), editorId: null };
    const member = await holdMember(change, { kind, id: scopeId }, user.id, user.orgId);
    if (member === undefined) throw new SignetError("USER_NOT_FOUND", "no user of the organization has this id");
    if (member.roles.includes(role)) return;
    const payload = { userId: user.id, userOrgId: user.orgId, role };
    await writeRoles(change, member, [...member.roles, role], [{ type: `${kind}.member.added`, payload }]);
  });
}
