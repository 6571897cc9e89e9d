import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { namedColumns } from "../database/columns-of.ts";
import type { ListSource, SortKey } from "../database/list-page.ts";
import { matchesText, type TextMatch } from "../database/text-match.ts";
import type { ObjectRow } from "../events/object-details.ts";
import type { CheckedListQuery } from "../fields/list-query.ts";
import { type ListParts, type ListResult, readList } from "../fields/read-list.ts";
import type { Owner } from "../owner.ts";
import { USER_TEXTS } from "../users/read/user-columns.ts";

/** A search for members. */
interface MemberSearch {
  readonly page: CheckedListQuery;
  readonly sortKey: MemberSortKey;
  readonly conditions: readonly MemberCondition[];
}

/** A condition of a search for members. */
export type MemberCondition =
  | {
      readonly kind: "text";
      readonly field: "firstName" | "lastName" | "email";
      readonly text: string;
      readonly match: TextMatch;
    }
  | { readonly kind: "user"; readonly id: string };

/**
 * Lists the members of the instance or of an organization that satisfy all conditions (docs/reference/members.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another list, or for a failure of the database.
 */
export async function searchMembers(
  parts: ListParts,
  { page, sortKey, conditions }: MemberSearch,
  scope: Owner,
  call: Call,
): Promise<ListResult<MemberRow>> {
  const source = { ...membersOf(scope), filters: conditions.map(toFilter), order: orderOfMembers(sortKey) };
  return await readList<MemberRow>(parts, source, page, scope.id, call);
}

/** A member of the instance or of an organization. */
export interface MemberRow extends ObjectRow {
  /** The instance or the organization. */
  scope_id: string;
  user_org_id: string;
  user_id: string;
  roles: string[];
  /** Null for a user of another organization than the scope, like the following columns. */
  kind: "human" | "machine" | null;
  user_name: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  display_name: string | null;
}

const SORT_KEYS = {
  creation: [{ value: sql`members.created_at`, type: "timestamptz" }],
  user: [],
  change: [{ value: sql`members.changed_at`, type: "timestamptz" }],
  userOrg: [{ value: sql`members.user_org_id`, type: "uuid" }],
} as const satisfies Record<string, readonly SortKey[]>;

/** What a list of members can be sorted by. */
export type MemberSortKey = keyof typeof SORT_KEYS;

/** The order of a list of members: by the key, then by the id of the user. */
export function orderOfMembers(key: MemberSortKey): readonly SortKey[] {
  return [...SORT_KEYS[key], { value: sql`members.user_id`, type: "uuid" }];
}

/**
 * For users of other organizations, a list of an organization has only the roles, because the caller may not read those
 * users. Roles with `iam.member.read` may read the users of all organizations.
 */
function membersOf({ kind, id }: Owner): Omit<ListSource<MemberRow>, "filters" | "order"> {
  const isReadable = kind === "org" ? sql`users.org_id = ${id}::uuid` : sql`true`;
  return {
    from: sql`(
      select user_org_id, user_id, array_agg(role order by role collate "C") as roles, sequence, created_at, changed_at
      from members where scope_id = ${id}::uuid
      group by user_org_id, user_id, sequence, created_at, changed_at
    ) as members left join users
      on ${isReadable} and users.org_id = members.user_org_id and users.id = members.user_id`,
    columns: {
      ...namedColumns("members", ["user_org_id", "user_id", "sequence", "created_at", "changed_at"]),
      ...namedColumns("users", ["kind", "user_name", "email", "first_name", "last_name", "display_name"]),
      scope_id: sql`${id}::uuid`,
      roles: sql.ref("members.roles"),
    },
    // The table in `from` contains only the members of the scope.
    scope: sql`true`,
  };
}

function toFilter(condition: MemberCondition): RawBuilder<SqlBool> {
  if (condition.kind === "text") return matchesText(USER_TEXTS[condition.field], condition.match, condition.text);
  return isId(condition.id) ? sql`members.user_id = ${condition.id}::uuid` : sql`false`;
}
