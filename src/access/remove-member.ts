import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import type { MemberParts } from "./add-member.ts";
import { changeMember } from "./change-member.ts";
import { memberNotFound, throwIfOwnMember } from "./member-roles.ts";

/**
 * Removes all roles of a member of the instance or organization (docs/api.md).
 *
 * @throws SignetError MEMBER_NOT_FOUND, OWN_USER, LAST_OWNER, ABORTED, or for a failure of the database.
 */
export async function removeMember(
  { serializeMembers, ...parts }: MemberParts,
  { userId }: { readonly userId: string },
  scope: Owner,
  call: Call,
): Promise<Changed> {
  throwIfOwnMember(userId, call);
  if (!isId(userId)) throw memberNotFound(userId, scope);
  const id = userId.toLowerCase();
  const member = await serializeMembers(scope.id, () =>
    changeMember(
      parts,
      {
        action: "remove",
        scope,
        userId: id,
        userOrgId: null,
        roles: [],
        editorId: call.userId,
        events: [{ type: `${scope.kind}.member.removed`, payload: { userId: id } }],
      },
      call,
    ),
  );
  if (member.outcome === "no member") throw memberNotFound(userId, scope);
  return toChanged(member, scope.id);
}
