import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { OrgMemberParts } from "./add-org-member.ts";
import { changeMember } from "./change-member.ts";
import { memberNotFound, throwIfOwnMember } from "./member-roles.ts";

/**
 * Removes all roles of a member in the organization (docs/api.md).
 *
 * @throws SignetError MEMBER_NOT_FOUND, OWN_USER, ABORTED, or for a failure of the database.
 */
export async function removeOrgMember(
  { serializeMembers, ...parts }: OrgMemberParts,
  { userId }: { readonly userId: string },
  call: Call,
): Promise<Changed> {
  throwIfOwnMember(userId, call);
  if (!isId(userId)) throw memberNotFound(userId);
  const id = userId.toLowerCase();
  const member = await serializeMembers(call.orgId, () =>
    changeMember(
      parts,
      {
        action: "remove",
        scope: { kind: "org", id: call.orgId },
        userId: id,
        userOrgId: null,
        roles: [],
        editorId: call.userId,
        events: [{ type: "org.member.removed", payload: { userId: id } }],
      },
      call,
    ),
  );
  if (member.outcome === "no member") throw memberNotFound(userId);
  return toChanged(member, call.orgId);
}
