import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type AddOrgMemberResponseSchema,
  type MemberSchema,
  type PlacedCredentialSchema,
  PlacedCredentialType,
} from "../../../gen/signet/v1/member_pb.js";
import { TypeQuery_Type as Type } from "../../../gen/signet/v1/user_search_pb.js";
import type { Reviewed } from "../../access/grant-after-review.ts";
import type { CredentialKind, PlacedCredential } from "../../access/placed-credentials.ts";
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

const CREDENTIAL_TYPE: Readonly<Record<CredentialKind, PlacedCredentialType>> = {
  token: PlacedCredentialType.TOKEN,
  passkey: PlacedCredentialType.PASSKEY,
  idp_link: PlacedCredentialType.IDP_LINK,
  password: PlacedCredentialType.PASSWORD,
  link: PlacedCredentialType.LINK,
  app: PlacedCredentialType.APP,
};

/** Converts the result of an operation that grants roles. */
export function toGranted<Result extends Reviewed>(
  result: Result,
): Omit<Result, "placedCredentials"> & Pick<MessageInitShape<typeof AddOrgMemberResponseSchema>, "placedCredentials"> {
  return { ...result, placedCredentials: result.placedCredentials.map(toPlacedCredential) };
}

function toPlacedCredential({
  kind,
  id,
  name,
  placedBy,
  placedAt,
}: PlacedCredential): MessageInitShape<typeof PlacedCredentialSchema> {
  return { type: CREDENTIAL_TYPE[kind], id, name, placedBy: placedBy ?? "", placedDate: timestampFromDate(placedAt) };
}
