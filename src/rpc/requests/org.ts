import type { DescMessage } from "@bufbuild/protobuf";
import { type ListOrgsRequest, OrgFieldName, type OrgQuery, OrgState } from "../../../gen/signet/v1/org_pb.js";
import type { SetUpOrgRequest } from "../../../gen/signet/v1/org_set_up_pb.js";
import { checkSetUpOrg, type OrgToSetUp } from "../../access/set-up-org.ts";
import type { Problems } from "../../errors.ts";
import { type OrgCondition, type OrgSearch, orderOfOrgs } from "../../orgs/list-orgs.ts";
import { toListQuery } from "./list-query.ts";
import { toTextMatch } from "./text-match.ts";

/** The fields for `listOrgs`. */
export function toOrgSearch(request: ListOrgsRequest, problems: Problems, schema: DescMessage): OrgSearch {
  const sortKey = request.sortingColumn === OrgFieldName.NAME ? "name" : "creation";
  return {
    page: toListQuery(schema, request, orderOfOrgs(sortKey), problems),
    sortKey,
    conditions: request.queries.flatMap((query, n) => toCondition(query, `queries[${n}]`, problems)),
  };
}

function toCondition({ query }: OrgQuery, at: string, problems: Problems): OrgCondition | [] {
  switch (query.case) {
    case "nameQuery":
      return { kind: "name", name: query.value.name, match: toTextMatch(query.value.method) };
    case "idQuery":
      return { kind: "id", id: query.value.id };
    case "stateQuery":
      if (query.value.state === OrgState.UNSPECIFIED) problems.add(`${at}.stateQuery.state`, "is required");
      // None is removed: its row is deleted.
      if (query.value.state === OrgState.REMOVED) return { kind: "id", id: "" };
      return { kind: "state", state: query.value.state === OrgState.ACTIVE ? "active" : "inactive" };
    default:
      problems.add(at, "must contain a condition");
      return [];
  }
}

/** The fields for `setUpOrg`. */
export function toOrgToSetUp({ org, user, roles }: SetUpOrgRequest, problems: Problems): OrgToSetUp {
  return checkSetUpOrg({ org, human: user.case === "human" ? user.value : undefined, roles }, problems);
}
