import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MemberSchema } from "../../../gen/signet/v1/member_pb.js";
import { TypeQuery_Type as Type } from "../../../gen/signet/v1/user_search_pb.js";
import type { MemberRow } from "../../access/search-members.ts";
import { toDetails } from "./details.ts";

/** Converts a row to a member of the instance or of an organization in a response. */
export function toMember(row: MemberRow): MessageInitShape<typeof MemberSchema> {
  return {
    userId: row.user_id,
    details: toDetails(row, row.scope_id),
    roles: row.roles,
    preferredLoginName: row.user_name ?? "",
    email: row.email ?? "",
    firstName: row.first_name ?? "",
    lastName: row.last_name ?? "",
    displayName: row.display_name ?? row.user_name ?? "",
    userType: row.kind === null ? Type.UNSPECIFIED : row.kind === "human" ? Type.HUMAN : Type.MACHINE,
    userResourceOwner: row.user_org_id,
  };
}
