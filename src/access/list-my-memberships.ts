import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Principal } from "../actor.ts";
import { type Call, requireUser } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { namedColumns, type RowOf } from "../database/columns-of.ts";
import type { SortKey } from "../database/list-page.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import { type Permission, permissionsOf } from "../roles.ts";

/** A search for the caller's memberships. */
interface MembershipSearch {
  readonly page: CheckedListQuery;
  readonly conditions: readonly MembershipCondition[];
}

/** A condition of a search for memberships. */
export type MembershipCondition =
  | { readonly kind: "org"; readonly id: string }
  | { readonly kind: "scope"; readonly isInstance: boolean };

/**
 * Lists the memberships of the caller that satisfy all conditions (docs/reference/instance.md). A token that carries
 * the roles of only one organization does not show those in others, because its application must not learn about them.
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another caller, or for a failure of the database.
 */
export async function listMyMemberships(
  parts: ListParts,
  { page, conditions }: MembershipSearch,
  given: Call,
): Promise<ListResult<MembershipRow>> {
  const call = requireUser(given);
  const source = {
    from: membershipsOf(call),
    columns: COLUMNS,
    // The table in `from` contains only the memberships of the caller.
    scope: sql<SqlBool>`true`,
    filters: conditions.map((condition) => toFilter(condition, call)),
    order: MEMBERSHIP_ORDER,
  };
  return await readList<MembershipRow>(parts, source, page, call.userId, call);
}

/** The order of a list of memberships. */
export const MEMBERSHIP_ORDER: readonly SortKey[] = [
  { value: sql`members.created_at`, type: "timestamptz" },
  { value: sql`members.scope_id`, type: "uuid" },
];

const COLUMNS = {
  ...namedColumns("members", ["scope_id", "sequence", "created_at", "changed_at"]),
  roles: sql.ref<string[]>("members.roles"),
  // Null for the instance.
  org_name: sql.ref<string | null>("orgs.name"),
};

/** A membership of the caller in the instance or an organization. */
export type MembershipRow = RowOf<typeof COLUMNS>;

function membershipsOf({ userOrgId, userId, roleScopes }: Principal): RawBuilder<unknown> {
  const scopes = roleScopes && [...roleScopes];
  return sql`(
    select scope_id, array_agg(role order by role collate "C") as roles, sequence, created_at, changed_at
    from members
    where user_org_id = ${userOrgId}::uuid and user_id = ${userId}::uuid
      and (${scopes}::uuid[] is null or scope_id = any(${scopes}::uuid[]))
      and (select orgs.removed_at from orgs where orgs.id = members.scope_id) is null
    group by scope_id, sequence, created_at, changed_at
  ) as members left join orgs on orgs.id = members.scope_id`;
}

function toFilter(condition: MembershipCondition, { instanceId }: Call): RawBuilder<SqlBool> {
  if (condition.kind === "scope") {
    return sql`(members.scope_id = ${instanceId}::uuid) = ${condition.isInstance}::boolean`;
  }
  // The id of the instance is not that of an organization.
  const isOrg = isId(condition.id) && condition.id.toLowerCase() !== instanceId;
  return isOrg ? sql`members.scope_id = ${condition.id}::uuid` : sql`false`;
}

/**
 * Returns the permissions of the caller in the organization of the call, and on the instance
 * (docs/reference/instance.md).
 */
export async function listMyPermissions(_parts: object, _fields: object, call: Call): Promise<Permission[]> {
  const { instanceRoles, orgRoles } = requireUser(call);
  return permissionsOf([...instanceRoles, ...orgRoles]);
}
