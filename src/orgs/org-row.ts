import { create } from "@bufbuild/protobuf";
import { type Org, OrgSchema, OrgState } from "../../gen/signet/v1/org_pb.js";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";

/** An organization as it is read. */
export interface OrgRow extends ObjectRow {
  id: string;
  name: string;
}

/** Creates an organization as a response shows it. It owns itself. */
export function toOrg(row: OrgRow): Org {
  return create(OrgSchema, {
    id: row.id,
    details: toObjectDetails(row, row.id),
    state: OrgState.ACTIVE,
    name: row.name,
  });
}
