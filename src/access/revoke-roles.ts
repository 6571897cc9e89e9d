import { runTransaction } from "../database/run-transaction.ts";
import type { ChangeParts } from "../events/change-object.ts";
import type { Role } from "../roles.ts";
import { holdMember, writeRoles } from "./hold-member.ts";

/**
 * Removes one role of a user in a scope, or all of them.
 *
 * @param role Undefined for all.
 * @returns The remaining roles; undefined if the user does not have the role, or any role.
 * @throws SignetError for a failure of the database.
 */
export async function revokeRoles(
  { db, clock }: ChangeParts,
  { userId, scopeId, role }: { readonly userId: string; readonly scopeId: string; readonly role: Role | undefined },
): Promise<readonly string[] | undefined> {
  return await runTransaction(db, { throwIfOver() {} }, async (transaction) => {
    const change = { db: transaction, now: clock(), editorId: null };
    const org = await transaction.selectFrom("orgs").select("id").where("id", "=", scopeId).executeTakeFirst();
    const kind = org === undefined ? "instance" : "org";
    const member = await holdMember(change, { kind, id: scopeId }, userId);
    const roles = role === undefined ? [] : (member?.roles.filter((other) => other !== role) ?? []);
    if (member === undefined || roles.length === member.roles.length) return undefined;
    const changed = { type: `${kind}.member.changed`, payload: { userId, roles } } as const;
    const removed = { type: `${kind}.member.removed`, payload: { userId } } as const;
    await writeRoles(change, member, roles, [roles.length > 0 ? changed : removed]);
    return roles;
  });
}
