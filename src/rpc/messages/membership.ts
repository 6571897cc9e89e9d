import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListMyMembershipsRequest,
  MembershipQuery,
  MembershipSchema,
} from "../../../gen/signet/v1/membership_pb.js";
import { MEMBERSHIP_ORDER, type MembershipCondition, type MembershipRow } from "../../access/list-my-memberships.ts";
import { type Call, requireUser } from "../../call.ts";
import { permissionsOf } from "../../roles.ts";
import { toDetails } from "./details.ts";
import { conditionsOf, searchOf } from "./list.ts";

/** The fields for `listMyMemberships`. */
export const toMembershipSearch = searchOf(MEMBERSHIP_ORDER, ({ queries }: ListMyMembershipsRequest, problems) => ({
  conditions: toConditions(queries, problems),
}));

const toConditions = conditionsOf<MembershipQuery, MembershipCondition>({
  orgQuery: ({ orgId: id }) => ({ kind: "org", id }),
  iamQuery: ({ iam: isInstance }) => ({ kind: "scope", isInstance }),
});

/** Converts a row to a membership of the caller in a response. */
export function toMembership(row: MembershipRow, call: Call): MessageInitShape<typeof MembershipSchema> {
  const { userId, instanceId } = requireUser(call);
  const { scope_id: scopeId, roles, org_name } = row;
  return {
    userId,
    details: toDetails(row, scopeId),
    roles,
    displayName: org_name ?? "",
    type: scopeId === instanceId ? { case: "iam", value: true } : { case: "orgId", value: scopeId },
    permissions: permissionsOf(roles),
  };
}
