import type { DescMessage } from "@bufbuild/protobuf";
import type { ListMyMembershipsRequest, MembershipQuery } from "../../../gen/signet/v1/membership_pb.js";
import { MEMBERSHIP_ORDER, type MembershipCondition, type MembershipSearch } from "../../access/list-my-memberships.ts";
import type { Problems } from "../../errors.ts";
import { toListQuery } from "./list-query.ts";

/** The fields for `listMyMemberships`. */
export function toMembershipSearch(
  request: ListMyMembershipsRequest,
  problems: Problems,
  schema: DescMessage,
): MembershipSearch {
  return {
    page: toListQuery(schema, request, MEMBERSHIP_ORDER, problems),
    conditions: request.queries.flatMap((query, n) => toCondition(query, `queries[${n}]`, problems)),
  };
}

function toCondition({ query }: MembershipQuery, at: string, problems: Problems): MembershipCondition | [] {
  switch (query.case) {
    case "orgQuery":
      return { kind: "org", id: query.value.orgId };
    case "iamQuery":
      return { kind: "scope", isInstance: query.value.iam };
    default:
      problems.add(at, "must contain a condition");
      return [];
  }
}
