import { create } from "@bufbuild/protobuf";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import {
  type ListOrgMembersRequest,
  ListOrgMembersRequestSchema,
  type ListOrgMembersResponse,
  ListOrgMembersResponseSchema,
  type MemberQuery,
} from "../../gen/signet/v1/member_pb.js";
import { TypeQuery_Type as Type } from "../../gen/signet/v1/user_search_pb.js";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { ListSource, SortKey } from "../database/list-page.ts";
import { matchesText } from "../database/text-match.ts";
import type { Problems } from "../errors.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { type CheckedListQuery, checkListQuery } from "../fields/list-query.ts";
import { type ListParts, readList } from "../fields/read-list.ts";
import { toTextMatch } from "../fields/text-query-method.ts";
import { USER_TEXTS } from "../users/user-columns.ts";

/** A checked ListOrgMembersRequest. */
export interface MemberSearch {
  readonly page: CheckedListQuery;
  readonly filters: readonly RawBuilder<SqlBool>[];
}

/** Checks the rules of ListOrgMembersRequest that the schema cannot express. */
export function checkListOrgMembers(request: ListOrgMembersRequest, problems: Problems): MemberSearch {
  return {
    page: checkListQuery(ListOrgMembersRequestSchema, request, ORDER, problems),
    filters: request.queries.map((query, n) => toFilter(query, `queries[${n}]`, problems)),
  };
}

/**
 * Lists the members of the organization that satisfy all conditions (docs/api.md).
 *
 * @throws SignetError INVALID_ARGUMENT for a page token of another organization, or for a failure of the database.
 */
export async function listOrgMembers(
  parts: ListParts,
  { page, filters }: MemberSearch,
  call: Call,
): Promise<ListOrgMembersResponse> {
  const source = { ...membersOf(call.orgId), filters };
  const { details, rows } = await readList<MemberRow>(parts, source, page, call.orgId, call);
  return create(ListOrgMembersResponseSchema, {
    details,
    result: rows.map((row) => ({
      userId: row.user_id,
      details: toObjectDetails(row, call.orgId),
      roles: row.roles,
      preferredLoginName: row.user_name ?? "",
      email: row.email ?? "",
      firstName: row.first_name ?? "",
      lastName: row.last_name ?? "",
      displayName: row.display_name ?? row.user_name ?? "",
      userType: row.kind === null ? Type.UNSPECIFIED : row.kind === "human" ? Type.HUMAN : Type.MACHINE,
      userResourceOwner: row.user_org_id,
    })),
  });
}

interface MemberRow extends ObjectRow {
  user_org_id: string;
  user_id: string;
  roles: string[];
  /** Null for a user of another organization, like the following columns. */
  kind: "human" | "machine" | null;
  user_name: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  display_name: string | null;
}

const ORDER: readonly SortKey[] = [
  { value: sql`member.created_at`, type: "timestamptz" },
  { value: sql`member.user_id`, type: "uuid" },
];

/** For users of other organizations, only the roles, because the caller may not read those users. */
function membersOf(orgId: string): Omit<ListSource<MemberRow>, "filters"> {
  return {
    from: sql`(
      select user_org_id, user_id, array_agg(role order by role collate "C") as roles, sequence, created_at, changed_at
      from members where scope_id = ${orgId}::uuid
      group by user_org_id, user_id, sequence, created_at, changed_at
    ) as member left join users
      on users.org_id = ${orgId}::uuid and users.org_id = member.user_org_id and users.id = member.user_id`,
    columns: {
      user_org_id: sql.ref("member.user_org_id"),
      user_id: sql.ref("member.user_id"),
      roles: sql.ref("member.roles"),
      sequence: sql.ref("member.sequence"),
      created_at: sql.ref("member.created_at"),
      changed_at: sql.ref("member.changed_at"),
      kind: sql.ref("users.kind"),
      user_name: sql.ref("users.user_name"),
      email: sql.ref("users.email"),
      first_name: sql.ref("users.first_name"),
      last_name: sql.ref("users.last_name"),
      display_name: sql.ref("users.display_name"),
    },
    // The table in `from` contains only the members of the organization.
    scope: sql`true`,
    order: ORDER,
  };
}

function toFilter({ query }: MemberQuery, at: string, problems: Problems): RawBuilder<SqlBool> {
  switch (query.case) {
    case "firstNameQuery":
      return matchesText(USER_TEXTS.firstName, toTextMatch(query.value.method), query.value.firstName);
    case "lastNameQuery":
      return matchesText(USER_TEXTS.lastName, toTextMatch(query.value.method), query.value.lastName);
    case "emailQuery":
      return matchesText(USER_TEXTS.email, toTextMatch(query.value.method), query.value.email);
    case "userIdQuery":
      return isId(query.value.userId) ? sql`member.user_id = ${query.value.userId}::uuid` : sql`false`;
    default:
      problems.add(at, "must contain a condition");
      return sql`false`;
  }
}
