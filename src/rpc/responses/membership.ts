import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MembershipSchema } from "../../../gen/signet/v1/membership_pb.js";
import type { MembershipRow } from "../../access/list-my-memberships.ts";
import type { Call } from "../../call.ts";
import { permissionsOf } from "../../roles.ts";
import { toDetails } from "./details.ts";

/** Converts a row to a membership of the caller in a response. */
export function toMembership(
  row: MembershipRow,
  { userId, instanceId }: Call,
): MessageInitShape<typeof MembershipSchema> {
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
