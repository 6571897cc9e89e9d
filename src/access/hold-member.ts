import type { NewEvent } from "../events/catalogue.ts";
import { appendToOwner, type Change, type HeldOwner, holdOwner } from "../events/change-object.ts";
import { type Changed, toChanged } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";

/** A user and the roles that the user has in a scope: the instance or an organization. */
interface HeldMember {
  /** The scope, whose events are those of its members. */
  readonly scope: HeldOwner;
  readonly user: { readonly id: string; readonly org_id: string };
  /** Sorted; empty if the user is no member. */
  readonly roles: readonly string[];
  /** Of the event that last changed the roles; undefined if the user is no member. */
  readonly since: Changed | undefined;
}

/**
 * Locks a scope, so that changes of its members run one after another, and a user, who cannot be removed meanwhile.
 *
 * @param userOrgId The organization that the user must belong to; by default, any.
 * @returns Undefined if there is no such user.
 * @throws SignetError ORG_NOT_FOUND.
 */
export async function holdMember(
  change: Change,
  owner: Owner,
  userId: string,
  userOrgId?: string,
): Promise<HeldMember | undefined> {
  const scope = await holdOwner(change, owner);
  const user = await change.db
    .selectFrom("users")
    .select(["id", "org_id"])
    .where("id", "=", userId)
    .$if(userOrgId !== undefined, (query) => query.where("org_id", "=", userOrgId ?? ""))
    .forKeyShare()
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const rows = await change.db
    .selectFrom("members")
    .select(["role", "sequence", "created_at", "changed_at"])
    .where("scope_id", "=", scope.id)
    .where("user_id", "=", userId)
    .execute();
  return {
    scope,
    user,
    roles: rows.map(({ role }) => role).sort(),
    since: rows[0] && toChanged(rows[0], scope.id),
  };
}

/** Makes these the roles of the user, none included, and appends the events to those of the scope. */
export async function writeRoles(
  change: Change,
  { scope, user, since }: HeldMember,
  roles: readonly string[],
  events: readonly NewEvent[],
): Promise<Changed> {
  const { details } = await appendToOwner(change, scope, events);
  const creationDate = since?.details.creationDate ?? details.changeDate;
  await change.db
    .deleteFrom("members")
    .where("scope_id", "=", scope.id)
    .where("user_id", "=", user.id)
    .$if(roles.length > 0, (query) => query.where("role", "not in", roles))
    .execute();
  if (roles.length > 0) {
    const version = { sequence: details.sequence, created_at: creationDate, changed_at: details.changeDate };
    const member = { user_org_id: user.org_id, user_id: user.id, scope_id: scope.id, ...version };
    await change.db
      .insertInto("members")
      .values(roles.map((role) => ({ ...member, role })))
      .onConflict((conflict) => conflict.constraint("members__pkey").doUpdateSet(version))
      .execute();
  }
  return { details: { ...details, creationDate } };
}
