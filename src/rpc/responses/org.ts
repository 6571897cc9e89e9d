import type { MessageInitShape } from "@bufbuild/protobuf";
import { type OrgSchema, OrgState } from "../../../gen/signet/v1/org_pb.js";
import type { OrgRow } from "../../orgs/org-row.ts";
import { toDetails } from "./details.ts";

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
