import { sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { SerializePerKey } from "../database/serialize-per-key.ts";
import { SignetError } from "../errors.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import type { Role } from "../roles.ts";
import { userNotFound } from "../users/user-not-found.ts";
import { type ChangeMemberParts, changeMember } from "./change-member.ts";
import type { EndPlacedParts } from "./end-placed-credentials.ts";
import { grantAfterReview, type Reviewed } from "./grant-after-review.ts";
import { throwIfAboveOwn } from "./member-roles.ts";

/** A user with roles in the instance or in an organization. */
export interface Member {
  readonly userId: string;
  readonly roles: readonly Role[];
  /** Whether the credentials that others have placed end first. */
  readonly endCredentials: boolean;
}

export interface MemberParts extends EndPlacedParts {
  /**
   * Keyed by instance or organization, because concurrent changes in one of them would have to be retried repeatedly.
   */
  readonly serializeMembers: SerializePerKey;
}

/**
 * Grants roles to a user who has none in the scope (docs/api.md): in an organization, to a user of the organization; in
 * the instance, to a user of any organization. Returns the credentials of the user that others have placed.
 *
 * @throws SignetError USER_NOT_FOUND, MEMBER_EXISTS, PERMISSION_DENIED for a role with a permission that the caller
 *   lacks, ABORTED, or for a failure of the database.
 */
export async function addMember(
  { serializeMembers, ...parts }: MemberParts,
  { userId, roles, endCredentials }: Member,
  scope: Owner,
  call: Call,
): Promise<Changed & Reviewed> {
  throwIfAboveOwn(roles, scope, call);
  const id = userId.toLowerCase();
  const userOrgId = isId(userId) ? await findOrgOf(parts, id, scope, call) : undefined;
  if (userOrgId === undefined) throw userNotFound(toMissing(scope), userId);
  if (endCredentials && (await isMember(parts, id, scope, call))) throw memberExists(userId, scope);
  return await grantAfterReview(parts, { id, orgId: userOrgId }, endCredentials, call, async (reviewed) => {
    const member = await serializeMembers(scope.id, () =>
      changeMember(
        parts,
        {
          action: "add",
          scope,
          userId: id,
          userOrgId,
          roles,
          editorId: call.userId,
          events: roles.map((role) => ({
            type: `${scope.kind}.member.added`,
            payload: { userId: id, userOrgId, role },
          })),
        },
        call,
        reviewed,
      ),
    );
    if (member.outcome === "no user") throw userNotFound(toMissing(scope), userId);
    if (member.outcome === "exists") throw memberExists(userId, scope);
    return toChanged(member, scope.id);
  });
}

function memberExists(userId: string, { kind }: Owner): SignetError {
  const message = `userId: the user is a member of the ${kind === "org" ? "organization" : "instance"} already`;
  return new SignetError("MEMBER_EXISTS", message, { metadata: { userId } });
}

function toMissing({ kind }: Owner) {
  return kind === "org" ? "userId: no user" : "userId: no user of the instance";
}

/** Whether the user has roles in the scope. */
export async function isMember({ db }: ChangeMemberParts, id: string, scope: Owner, call: Call): Promise<boolean> {
  return (await selectMember(db, { scopeId: scope.id, id }, call)).length > 0;
}

const selectMember = prepareStatement<{ scopeId: string; id: string }, { role: string }>((db, param) =>
  db
    .selectFrom("members")
    .select("role")
    .where("scope_id", "=", param("scopeId", "uuid"))
    .where("user_id", "=", param("id", "uuid"))
    .limit(sql.lit(1)),
);

/** The organization that the user must belong to; a user never moves to another one. */
export async function findOrgOf(
  { db }: ChangeMemberParts,
  id: string,
  scope: Owner,
  call: Call,
): Promise<string | undefined> {
  if (scope.kind === "org") return scope.id;
  const [user] = await selectOrgOf(db, { id }, call);
  return user?.org_id;
}

const selectOrgOf = prepareStatement<{ id: string }, { org_id: string }>((db, param) =>
  db.selectFrom("users").select("org_id").where("id", "=", param("id", "uuid")),
);
