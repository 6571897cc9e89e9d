import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import { findOrgOf, isMember, type Member, type MemberParts } from "./add-member.ts";
import { changeMember } from "./change-member.ts";
import { grantAfterReview, type Reviewed } from "./grant-after-review.ts";
import { memberNotFound, throwIfAboveOwn, throwIfOwnMember } from "./member-roles.ts";

/**
 * Replaces the roles of a member of the instance or organization (docs/api.md). If the member has exactly these roles,
 * nothing changes. Returns the credentials of the user that others have placed; an organization does not learn those of
 * a user of another one.
 *
 * @throws SignetError MEMBER_NOT_FOUND, OWN_USER, LAST_OWNER, PERMISSION_DENIED for a role with a permission that the
 *   caller lacks, ABORTED, or for a failure of the database.
 */
export async function updateMember(
  { serializeMembers, ...parts }: MemberParts,
  { userId, roles, endCredentials }: Member,
  scope: Owner,
  call: Call,
): Promise<Changed & Reviewed> {
  throwIfOwnMember(userId, call);
  throwIfAboveOwn(roles, scope, call);
  if (!isId(userId)) throw memberNotFound(userId, scope);
  const id = userId.toLowerCase();
  const orgId = await findOrgOf(parts, id, scope, call);
  if (orgId === undefined || (endCredentials && !(await isMember(parts, id, scope, call)))) {
    throw memberNotFound(userId, scope);
  }
  const payload = { userId: id, roles: [...roles].sort() };
  return await grantAfterReview(parts, { id, orgId }, endCredentials, call, async (reviewed) => {
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
        reviewed,
      ),
    );
    if (member.outcome === "no member") throw memberNotFound(userId, scope);
    return toChanged(member, scope.id);
  });
}
