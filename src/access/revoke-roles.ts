import { retryWhenChanged } from "../events/retry-when-changed.ts";
import type { Role } from "../roles.ts";
import { type ChangeMemberParts, changeMember } from "./change-member.ts";

/**
 * Removes one role of a user in a scope, or all of them.
 *
 * @param role Undefined for all.
 * @returns The remaining roles; undefined if the user does not have the role, or any role.
 * @throws SignetError ABORTED, or for a failure of the database.
 */
export async function revokeRoles(
  parts: ChangeMemberParts,
  { userId, scopeId, role }: { readonly userId: string; readonly scopeId: string; readonly role: Role | undefined },
): Promise<readonly string[] | undefined> {
  const { db } = parts;
  const isOrg = (await db.selectFrom("orgs").select("id").where("id", "=", scopeId).execute()).length > 0;
  const kind = isOrg ? "org" : "instance";
  const { left } = await retryWhenChanged(async () => {
    const rows = await db
      .selectFrom("members")
      .select("role")
      .where("scope_id", "=", scopeId)
      .where("user_id", "=", userId)
      .execute();
    const roles = rows.map((row) => row.role).sort();
    const rest = role === undefined ? [] : roles.filter((other) => other !== role);
    if (rest.length === roles.length) return { left: undefined };
    const { outcome } = await changeMember(parts, {
      action: rest.length > 0 ? "replace" : "remove",
      scope: { kind, id: scopeId },
      userId,
      userOrgId: null,
      roles: rest,
      expected: roles,
      editorId: null,
      events: [
        rest.length > 0
          ? { type: `${kind}.member.changed`, payload: { userId, roles: rest } }
          : { type: `${kind}.member.removed`, payload: { userId } },
      ],
    });
    return outcome === "written" ? { left: rest } : undefined;
  });
  return left;
}
