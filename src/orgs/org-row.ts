import { create } from "@bufbuild/protobuf";
import { type Org, OrgSchema, OrgState } from "../../gen/signet/v1/org_pb.js";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";

/** The columns of an organization in responses. */
export interface OrgRow extends ObjectRow {
  id: string;
  name: string;
}

/** Converts a row to an organization in a response. An organization owns itself. */
export function toOrg(row: OrgRow): Org {
  return create(OrgSchema, {
    id: row.id,
    details: toObjectDetails(row, row.id),
    state: OrgState.ACTIVE,
    name: row.name,
  });
}
