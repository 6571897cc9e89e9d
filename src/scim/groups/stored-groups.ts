import { sql } from "kysely";
import type { Call } from "../../call.ts";
import type { Database } from "../../database/database.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { SignetError } from "../../errors.ts";
import { MOST_MEMBERS } from "../protocol/attributes.ts";
import { ScimError } from "../protocol/scim-error.ts";
import type { GivenRole } from "../users/stored-user.ts";
import { toGroupId } from "../users/to-user-resource.ts";

/** A role in an application of the organization. */
export type Group = GivenRole;

export interface GroupMember {
  readonly appId: string;
  readonly role: string;
  readonly userId: string;
  readonly displayName: string | null;
}

/** An organization with more roles has groups for the first ones only. */
const MOST_GROUPS = 5_000;

/** The groups of the organization, by application. @throws SignetError for a failure of the database. */
export async function findGroups({ db }: { readonly db: Database }, call: Call): Promise<readonly Group[]> {
  return await selectGroups(db, { orgId: call.orgId }, call);
}

const selectGroups = prepareStatement<{ orgId: string }, Group>((db, param) => {
  const query = sql<Group>`
    select apps.id as "appId", apps.name as "appName", given.role
    from apps cross join lateral unnest(apps.roles) as given (role)
    where apps.owner_id = ${param("orgId", "uuid")}
    order by apps.created_at, apps.id, given.role collate "C" limit ${sql.lit(MOST_GROUPS)}`;
  return { compile: () => query.compile(db) };
});

/** @throws SignetError PATH_NOT_FOUND for an unknown group, or for a failure of the database. */
export async function findGroup(parts: { readonly db: Database }, id: string, call: Call): Promise<Group> {
  const group = (await findGroups(parts, call)).find((each) => toGroupId(each) === id);
  if (group === undefined) throw new SignetError("PATH_NOT_FOUND", "no group of the organization has this id");
  return group;
}

/**
 * The human members of groups.
 *
 * @throws ScimError tooMany if there are more than a response has.
 */
export async function findMembers(
  { db }: { readonly db: Database },
  groups: readonly Pick<Group, "appId" | "role">[],
  call: Call,
): Promise<readonly GroupMember[]> {
  if (groups.length === 0) return [];
  const values = {
    orgId: call.orgId,
    apps: groups.map(({ appId }) => appId),
    roles: groups.map(({ role }) => role),
  };
  const members = await selectMembers(db, values, call);
  if (members.length <= MOST_MEMBERS) return members;
  const detail = `the groups have more than ${MOST_MEMBERS} members: leave them out with excludedAttributes=members`;
  throw new ScimError(400, "tooMany", detail);
}

const selectMembers = prepareStatement<
  { orgId: string; apps: readonly string[]; roles: readonly string[] },
  GroupMember
>((db, param) => {
  const query = sql<GroupMember>`
    select given.app_id as "appId", given.role, given.user_id as "userId", users.display_name as "displayName"
    from unnest(${param("apps", "uuid[]")}, ${param("roles", "text[]")}) as asked (app_id, role)
      join user_app_roles as given on given.org_id = ${param("orgId", "uuid")}
        and given.app_id = asked.app_id and given.role = asked.role
      join users on users.org_id = given.org_id and users.id = given.user_id and users.kind = 'human'
    order by given.app_id, given.role, given.user_id limit ${sql.lit(MOST_MEMBERS + 1)}`;
  return { compile: () => query.compile(db) };
});

/** The groups that human users are in. */
export async function findGroupsOf(
  { db }: { readonly db: Database },
  userIds: readonly string[],
  call: Call,
): Promise<readonly { readonly userId: string; readonly groupId: string }[]> {
  const rows = await selectGroupsOf(db, { orgId: call.orgId, userIds }, call);
  return rows.map(({ userId, ...group }) => ({ userId, groupId: toGroupId(group) }));
}

const selectGroupsOf = prepareStatement<
  { orgId: string; userIds: readonly string[] },
  { userId: string; appId: string; role: string }
>((db, param) =>
  db
    .selectFrom("users")
    .innerJoin("user_app_roles as given", (join) =>
      join.onRef("given.org_id", "=", "users.org_id").onRef("given.user_id", "=", "users.id"),
    )
    .select(["given.user_id as userId", "given.app_id as appId", "given.role"])
    .where("users.org_id", "=", param("orgId", "uuid"))
    .where("users.kind", "=", "human")
    .where(sql<boolean>`users.id = any (${param("userIds", "uuid[]")})`),
);
