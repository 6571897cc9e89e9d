import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { TextQueryMethod } from "../../../gen/signet/v1/list_pb.js";
import {
  type AddOrgMemberResponseSchema,
  type ListIAMMembersRequest,
  type ListOrgMembersRequest,
  MemberFieldName,
  type MemberQuery,
  type MemberSchema,
  type PlacedCredentialSchema,
  PlacedCredentialType,
} from "../../../gen/signet/v1/member_pb.js";
import { TypeQuery_Type as Type } from "../../../gen/signet/v1/user_search_pb.js";
import type { Reviewed } from "../../access/change-member.ts";
import type { CredentialKind, PlacedCredential } from "../../access/placed-credentials.ts";
import {
  type MemberCondition,
  type MemberRow,
  type MemberSortKey,
  orderOfMembers,
} from "../../access/search-members.ts";
import { toDetails } from "./details.ts";
import { conditionsOf, searchOf, toTextMatch } from "./list.ts";

/** The fields for `searchMembers`. */
export const toMemberSearch = searchOf(
  (request: ListOrgMembersRequest | ListIAMMembersRequest) => orderOfMembers(sortKeyOf(request)),
  (request, problems) => ({ sortKey: sortKeyOf(request), conditions: toConditions(request.queries, problems) }),
);

function sortKeyOf(request: ListOrgMembersRequest | ListIAMMembersRequest): MemberSortKey {
  return "sortingColumn" in request ? (SORT_KEYS[request.sortingColumn] ?? "creation") : "creation";
}

const SORT_KEYS: Readonly<Record<MemberFieldName, MemberSortKey>> = {
  [MemberFieldName.UNSPECIFIED]: "creation",
  [MemberFieldName.USER_ID]: "user",
  [MemberFieldName.CREATION_DATE]: "creation",
  [MemberFieldName.CHANGE_DATE]: "change",
  [MemberFieldName.USER_RESOURCE_OWNER]: "userOrg",
};

const toConditions = conditionsOf<MemberQuery, MemberCondition>({
  firstNameQuery: ({ firstName, method }) => toText("firstName", firstName, method),
  lastNameQuery: ({ lastName, method }) => toText("lastName", lastName, method),
  emailQuery: ({ email, method }) => toText("email", email, method),
  userIdQuery: ({ userId: id }) => ({ kind: "user", id }),
});

function toText(field: "firstName" | "lastName" | "email", text: string, method: TextQueryMethod): MemberCondition {
  return { kind: "text", field, text, match: toTextMatch(method) };
}

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

function toPlacedCredential(placed: PlacedCredential): MessageInitShape<typeof PlacedCredentialSchema> {
  const { kind, id, name, placedBy, placedAt } = placed;
  return { type: CREDENTIAL_TYPE[kind], id, name, placedBy: placedBy ?? "", placedDate: timestampFromDate(placedAt) };
}
