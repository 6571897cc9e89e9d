import type { DescMessage } from "@bufbuild/protobuf";
import type { ListOrgMembersRequest, MemberQuery } from "../../../gen/signet/v1/member_pb.js";
import { MEMBER_ORDER, type MemberCondition, type MemberSearch } from "../../access/list-org-members.ts";
import type { Problems } from "../../errors.ts";
import { toListQuery } from "./list-query.ts";
import { toTextMatch } from "./text-match.ts";

/** The fields for `listOrgMembers`. */
export function toMemberSearch(request: ListOrgMembersRequest, problems: Problems, schema: DescMessage): MemberSearch {
  return {
    page: toListQuery(schema, request, MEMBER_ORDER, problems),
    conditions: request.queries.flatMap((query, n) => toCondition(query, `queries[${n}]`, problems)),
  };
}

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
