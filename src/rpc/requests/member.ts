import type { DescMessage } from "@bufbuild/protobuf";
import {
  type ListIAMMembersRequest,
  type ListOrgMembersRequest,
  MemberFieldName,
  type MemberQuery,
} from "../../../gen/signet/v1/member_pb.js";
import {
  type MemberCondition,
  type MemberSearch,
  type MemberSortKey,
  orderOfMembers,
} from "../../access/search-members.ts";
import type { Problems } from "../../errors.ts";
import { toListQuery } from "./list-query.ts";
import { toTextMatch } from "./text-match.ts";

/** The fields for `searchMembers`. */
export function toMemberSearch(
  request: ListOrgMembersRequest | ListIAMMembersRequest,
  problems: Problems,
  schema: DescMessage,
): MemberSearch {
  const sortKey = "sortingColumn" in request ? (SORT_KEYS[request.sortingColumn] ?? "creation") : "creation";
  return {
    page: toListQuery(schema, request, orderOfMembers(sortKey), problems),
    sortKey,
    conditions: request.queries.flatMap((query, n) => toCondition(query, `queries[${n}]`, problems)),
  };
}

const SORT_KEYS: Readonly<Record<MemberFieldName, MemberSortKey>> = {
  [MemberFieldName.UNSPECIFIED]: "creation",
  [MemberFieldName.USER_ID]: "user",
  [MemberFieldName.CREATION_DATE]: "creation",
  [MemberFieldName.CHANGE_DATE]: "change",
  [MemberFieldName.USER_RESOURCE_OWNER]: "userOrg",
};

function toCondition({ query }: MemberQuery, at: string, problems: Problems): MemberCondition | [] {
  switch (query.case) {
    case "firstNameQuery":
      return { kind: "text", field: "firstName", text: query.value.firstName, match: toTextMatch(query.value.method) };
    case "lastNameQuery":
      return { kind: "text", field: "lastName", text: query.value.lastName, match: toTextMatch(query.value.method) };
    case "emailQuery":
      return { kind: "text", field: "email", text: query.value.email, match: toTextMatch(query.value.method) };
    case "userIdQuery":
      return { kind: "user", id: query.value.userId };
    default:
      problems.add(at, "must contain a condition");
      return [];
  }
}
