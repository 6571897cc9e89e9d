import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { SerializePerKey } from "../database/serialize-per-key.ts";
import { type Problems, SignetError } from "../errors.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { Role } from "../roles.ts";
import { userNotFound } from "../users/user-not-found.ts";
import { type ChangeMemberParts, changeMember } from "./change-member.ts";
import { checkOrgRoles, throwIfAboveOwn } from "./member-roles.ts";

/** A checked AddOrgMemberRequest or UpdateOrgMemberRequest. */
export interface OrgMember {
  readonly userId: string;
  readonly roles: readonly Role[];
}

/** Checks the rules that the schema cannot express. */
export function checkOrgMember(
  { userId, roles }: { readonly userId: string; readonly roles: readonly string[] },
  problems: Problems,
) {
  return { userId, roles: checkOrgRoles(roles, problems) } satisfies OrgMember;
}

export interface OrgMemberParts extends ChangeMemberParts {
  /** Keyed by organization, because concurrent changes in one organization would have to be retried repeatedly. */
  readonly serializeMembers: SerializePerKey;
}

/**
 * Grants roles in the organization to a user of the organization who has none there (docs/api.md).
 *
 * @throws SignetError USER_NOT_FOUND, MEMBER_EXISTS, PERMISSION_DENIED for a role with a permission that the caller
 *   lacks, ABORTED, or for a failure of the database.
 */
export async function addOrgMember(
  { serializeMembers, ...parts }: OrgMemberParts,
  { userId, roles }: OrgMember,
  call: Call,
): Promise<Changed> {
  throwIfAboveOwn(roles, call);
  if (!isId(userId)) throw userNotFound("userId: no user", userId);
  const id = userId.toLowerCase();
  const member = await serializeMembers(call.orgId, () =>
    changeMember(
      parts,
      {
        action: "add",
        scope: { kind: "org", id: call.orgId },
        userId: id,
        userOrgId: call.orgId,
        roles,
        editorId: call.userId,
        events: roles.map((role) => ({
          type: "org.member.added",
          payload: { userId: id, userOrgId: call.orgId, role },
        })),
      },
      call,
    ),
  );
  if (member.outcome === "no user") throw userNotFound("userId: no user", userId);
  if (member.outcome === "exists") {
    const message = "userId: the user is a member of the organization already";
    throw new SignetError("MEMBER_EXISTS", message, { metadata: { userId } });
  }
  return toChanged(member, call.orgId);
}
