import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import type { Member, MemberParts } from "./add-member.ts";
import { changeMember } from "./change-member.ts";
import { memberNotFound, throwIfAboveOwn, throwIfOwnMember } from "./member-roles.ts";

/**
 * Replaces the roles of a member of the instance or organization (docs/api.md). If the member has exactly these roles,
 * nothing changes.
 *
 * @throws SignetError MEMBER_NOT_FOUND, OWN_USER, LAST_OWNER, PERMISSION_DENIED for a role with a permission that the
 *   caller lacks, ABORTED, or for a failure of the database.
 */
export async function updateMember(
  { serializeMembers, ...parts }: MemberParts,
  { userId, roles }: Member,
  scope: Owner,
  call: Call,
): Promise<Changed> {
  throwIfOwnMember(userId, call);
  throwIfAboveOwn(roles, scope, call);
  if (!isId(userId)) throw memberNotFound(userId, scope);
  const id = userId.toLowerCase();
  const payload = { userId: id, roles: [...roles].sort() };
  const member = await serializeMembers(scope.id, () =>
    changeMember(
      parts,
      {
        action: "replace",
        scope,
        userId: id,
        userOrgId: null,
        roles,
        editorId: call.userId,
        events: [{ type: `${scope.kind}.member.changed`, payload }],
      },
      call,
    ),
  );
  if (member.outcome === "no member") throw memberNotFound(userId, scope);
  return toChanged(member, scope.id);
}
