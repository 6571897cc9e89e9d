import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { OrgMember, OrgMemberParts } from "./add-org-member.ts";
import { changeMember } from "./change-member.ts";
import { memberNotFound, throwIfAboveOwn, throwIfOwnMember } from "./member-roles.ts";

/**
 * Replaces the roles of a member of the organization (docs/api.md). If the member has exactly these roles, nothing
 * changes.
 *
 * @throws SignetError MEMBER_NOT_FOUND, OWN_USER, PERMISSION_DENIED for a role with a permission that the caller lacks,
 *   ABORTED, or for a failure of the database.
 */
export async function updateOrgMember(
  { serializeMembers, ...parts }: OrgMemberParts,
  { userId, roles }: OrgMember,
  call: Call,
): Promise<Changed> {
  throwIfOwnMember(userId, call);
  throwIfAboveOwn(roles, call);
  if (!isId(userId)) throw memberNotFound(userId);
  const id = userId.toLowerCase();
  const member = await serializeMembers(call.orgId, () =>
    changeMember(
      parts,
      {
        action: "replace",
        scope: { kind: "org", id: call.orgId },
        userId: id,
        userOrgId: null,
        roles,
        editorId: call.userId,
        events: [{ type: "org.member.changed", payload: { userId: id, roles: [...roles].sort() } }],
      },
      call,
    ),
  );
  if (member.outcome === "no member") throw memberNotFound(userId);
  return toChanged(member, call.orgId);
}
