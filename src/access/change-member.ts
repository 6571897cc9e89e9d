import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import { inOwnerChange, runChange } from "../events/change-object.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import type { Role } from "../roles.ts";
import { userNotFound } from "../users/user-not-found.ts";
import { type EndPlacedParts, endPlacedCredentials } from "./end-placed-credentials.ts";
import { holdMember, writeRoles } from "./hold-member.ts";
import { memberNotFound, throwIfAboveOwn, throwIfOwnMember } from "./member-roles.ts";
import { listPlacedCredentials, type PlacedCredential, type UserKey } from "./placed-credentials.ts";

/** A user with roles in the instance or in an organization. */
interface Member {
  readonly userId: string;
  readonly roles: readonly Role[];
  /** Whether the credentials that others have placed end first. */
  readonly endCredentials: boolean;
}

/**
 * Grants roles to a user who has none in the scope (docs/reference/members.md): in an organization, to a user of the
 * organization; in the instance, to a user of any organization. Returns the credentials of the user that others have
 * placed.
 *
 * @throws SignetError USER_NOT_FOUND, MEMBER_EXISTS, PERMISSION_DENIED for a role with a permission that the caller
 *   lacks, or for a failure of the database.
 */
export async function addMember(
  parts: EndPlacedParts,
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
    return await runChange(parts, call, async (change) => {
      const member = await holdMember(change, scope, id, userOrgId);
      if (member === undefined) throw userNotFound(toMissing(scope), userId);
      if (member.roles.length > 0) throw memberExists(userId, scope);
      const type = `${scope.kind}.member.added` as const;
      const events = roles.map((role) => ({ type, payload: { userId: id, userOrgId, role } }));
      return { ...reviewed, ...(await writeRoles(change, member, roles, events)) };
    });
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
async function isMember({ db }: EndPlacedParts, id: string, scope: Owner, call: Call): Promise<boolean> {
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
async function findOrgOf({ db }: EndPlacedParts, id: string, scope: Owner, call: Call): Promise<string | undefined> {
  if (scope.kind === "org") return scope.id;
  const [user] = await selectOrgOf(db, { id }, call);
  return user?.org_id;
}

const selectOrgOf = prepareStatement<{ id: string }, { org_id: string }>((db, param) =>
  db.selectFrom("users").select("org_id").where("id", "=", param("id", "uuid")),
);

/**
 * Replaces the roles of a member of the instance or organization (docs/reference/members.md). If the member has exactly
 * these roles, nothing changes. Returns the credentials of the user that others have placed; an organization does not
 * learn those of a user of another one.
 *
 * @throws SignetError MEMBER_NOT_FOUND, OWN_USER, LAST_OWNER, PERMISSION_DENIED for a role with a permission that the
 *   caller lacks, or for a failure of the database.
 */
export async function updateMember(
  parts: EndPlacedParts,
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
    return await runChange(parts, call, async (change) => {
      const member = await holdMember(change, scope, id);
      if (member?.since === undefined) throw memberNotFound(userId, scope);
      const isSame = isDeepStrictEqual(payload.roles, member.roles);
      const event = { type: `${scope.kind}.member.changed`, payload } as const;
      return { ...reviewed, ...(isSame ? member.since : await writeRoles(change, member, roles, [event])) };
    });
  });
}

/**
 * Removes all roles of a member of the instance or organization (docs/reference/members.md).
 *
 * @throws SignetError MEMBER_NOT_FOUND, OWN_USER, LAST_OWNER, or for a failure of the database.
 */
export const removeMember = inOwnerChange(async (change, { userId }: { readonly userId: string }, scope, call) => {
  throwIfOwnMember(userId, call);
  const member = isId(userId) ? await holdMember(change, scope, userId) : undefined;
  if (member?.since === undefined) throw memberNotFound(userId, scope);
  const event = { type: `${scope.kind}.member.removed`, payload: { userId: member.user.id } } as const;
  return await writeRoles(change, member, [], [event]);
});

/** What an operation that grants roles returns besides the membership. */
export interface Reviewed {
  /** The credentials that others had placed before. */
  readonly placedCredentials: readonly PlacedCredential[];
}

/**
 * Grants roles to a user whose credentials may have been placed by others, and ends these first if `ends`. Once the user
 * has the roles, only callers who may grant them can place credentials.
 *
 * @param grant Gets what it returns to the caller besides the membership.
 * @throws SignetError of `grant` and `endPlacedCredentials`.
 */
export async function grantAfterReview<Result extends object>(
  parts: EndPlacedParts,
  user: UserKey,
  ends: boolean,
  call: Call,
  grant: (reviewed: Reviewed) => Promise<Result>,
): Promise<Result & Reviewed> {
  const review = ends ? endPlacedCredentials : listPlacedCredentials;
  const reviewed = { placedCredentials: await review(parts, user, call) };
  const result = await grant(reviewed);
  // Credentials that were placed since the first pass.
  if (ends) await endPlacedCredentials(parts, user, call);
  return { ...result, ...reviewed };
}
