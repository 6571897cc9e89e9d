import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ListOrgsRequest,
  OrgFieldName,
  type OrgQuery,
  type OrgSchema,
  OrgState,
} from "../../../gen/signet/v1/org_pb.js";
import type { SetUpOrgRequest } from "../../../gen/signet/v1/org_set_up_pb.js";
import { checkSetUpOrg, type OrgToSetUp } from "../../access/set-up-org.ts";
import type { Problems } from "../../errors.ts";
import { type OrgCondition, type OrgRow, type OrgSearch, orderOfOrgs } from "../../orgs/list-orgs.ts";
import { toDetails } from "./details.ts";
import { conditionsOf, searchOf, toTextMatch } from "./list.ts";

/** The fields for `listOrgs`. */
export const toOrgSearch = searchOf(
  (request: ListOrgsRequest) => orderOfOrgs(sortKeyOf(request)),
  (request, problems) => ({ sortKey: sortKeyOf(request), conditions: toConditions(request.queries, problems) }),
);

function sortKeyOf({ sortingColumn }: ListOrgsRequest): OrgSearch["sortKey"] {
  return sortingColumn === OrgFieldName.NAME ? "name" : "creation";
}

const toConditions = conditionsOf<OrgQuery, OrgCondition>({
  nameQuery: ({ name, method }) => ({ kind: "name", name, match: toTextMatch(method) }),
  idQuery: ({ id }) => ({ kind: "id", id }),
  stateQuery({ state }, problems, at) {
    if (state === OrgState.UNSPECIFIED) problems.add(`${at}.stateQuery.state`, "is required");
    // None is removed: its row is deleted.
    if (state === OrgState.REMOVED) return { kind: "id", id: "" };
    return { kind: "state", state: state === OrgState.ACTIVE ? "active" : "inactive" };
  },
});

/** The fields for `setUpOrg`. */
export function toOrgToSetUp({ org, user, roles }: SetUpOrgRequest, problems: Problems): OrgToSetUp {
  return checkSetUpOrg({ org, human: user.case === "human" ? user.value : undefined, roles }, problems);
}

/** Converts a row to an organization in a response. An organization owns itself. */
export function toOrg(row: OrgRow): MessageInitShape<typeof OrgSchema> {
  const { id, name, state, primary_domain } = row;
  return {
    id,
    details: toDetails(row, id),
    state: state === "active" ? OrgState.ACTIVE : OrgState.INACTIVE,
    name,
    primaryDomain: primary_domain ?? "",
  };
}
