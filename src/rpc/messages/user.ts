import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import {
  SendHumanResetPasswordNotificationRequest_Type as Channel,
  type SendHumanResetPasswordNotificationRequest,
} from "../../../gen/signet/v1/user_credential_pb.js";
import { AuthFactorState, type User, UserSchema } from "../../../gen/signet/v1/user_pb.js";
import {
  IDPType,
  type ListHumanLinkedIDPsRequest,
  type ListUsersRequest,
} from "../../../gen/signet/v1/user_read_pb.js";
import { UserFieldName } from "../../../gen/signet/v1/user_search_pb.js";
import type { ListUserSessionsRequest } from "../../../gen/signet/v1/user_session_pb.js";
import { type Call, requireUser } from "../../call.ts";
import { VALID_SECONDS } from "../../codes/kinds.ts";
import type { Config } from "../../config.ts";
import { toProfile } from "../../database/profile.ts";
import type { Problems } from "../../errors.ts";
import type { Changed } from "../../events/object-details.ts";
import type { IdpKind } from "../../idps/kinds.ts";
import { checkImportedPasskeys } from "../../passkeys/check-imported-passkeys.ts";
import { findImportWarnings } from "../../sign-in/import-warnings.ts";
import { SIGN_IN_KINDS } from "../../sign-in/provider/kinds/kinds.ts";
import type { PasskeyRegistration } from "../../users/credentials/add-passkey-registration.ts";
import { checkImportHumanUser, type HumanToImport } from "../../users/import/check-import-human-user.ts";
import type { ImportedHuman } from "../../users/import/import-human-user.ts";
import type { PasskeyRow } from "../../users/read/list-human-credentials.ts";
import { LINK_ORDER, type LinkRow } from "../../users/read/list-human-linked-idps.ts";
import { SESSION_ORDER, type SessionRow } from "../../users/read/list-user-sessions.ts";
import { orderOfUsers, type UserSortKey } from "../../users/read/user-columns.ts";
import type { UserRow } from "../../users/read/user-row.ts";
import { toDetails } from "./details.ts";
import { searchOf } from "./list.ts";
import { toUserConditions } from "./user-conditions.ts";

/** Returns the check of `importHumanUser`, for a service with this relying party id of passkeys. */
export function toHumanToImport(service: { readonly config: Pick<Config, "webauthnRpId"> }) {
  return (request: ImportHumanUserRequest, problems: Problems): HumanToImport => ({
    ...checkImportHumanUser(request, problems),
    passkeys: checkImportedPasskeys(request.passkeys, service.config.webauthnRpId, problems),
  });
}

/** The fields for `sendPasswordReset`. The default channel is email. */
export function toPasswordReset({ userId, type }: SendHumanResetPasswordNotificationRequest) {
  return { userId, channel: type === Channel.SMS ? "sms" : "email" } as const;
}

/** The fields for `listUsers`. The schema rejects unknown sort keys. */
export const toUserSearch = searchOf(
  (request: ListUsersRequest) => orderOfUsers(sortKeyOf(request)),
  (request, problems) => ({
    sortKey: sortKeyOf(request),
    conditions: toUserConditions(request.queries, "queries", problems),
  }),
);

function sortKeyOf({ sortingColumn }: ListUsersRequest): UserSortKey {
  return SORT_KEYS[sortingColumn] ?? "creation";
}

const SORT_KEYS: Readonly<Record<UserFieldName, UserSortKey>> = {
  [UserFieldName.UNSPECIFIED]: "creation",
  [UserFieldName.USER_NAME]: "userName",
  [UserFieldName.FIRST_NAME]: "firstName",
  [UserFieldName.LAST_NAME]: "lastName",
  [UserFieldName.NICK_NAME]: "nickName",
  [UserFieldName.DISPLAY_NAME]: "displayName",
  [UserFieldName.EMAIL]: "email",
  [UserFieldName.STATE]: "state",
  [UserFieldName.TYPE]: "type",
  [UserFieldName.CREATION_DATE]: "creation",
  [UserFieldName.LAST_SIGN_IN]: "lastSignIn",
};

/** The fields for `listUserSessions`. */
export const toSessionSearch = searchOf(SESSION_ORDER, ({ userId }: ListUserSessionsRequest) => ({ userId }));

/** The fields for `listHumanLinkedIdps`. */
export const toLinkSearch = searchOf(LINK_ORDER, ({ userId }: ListHumanLinkedIDPsRequest) => ({ userId }));

/** Converts a row to a user in a response. */
export function toUser(row: UserRow, { orgId }: Call): User {
  return create(UserSchema, {
    id: row.id,
    details: toDetails(row, orgId),
    state: row.state_number,
    userName: row.user_name,
    loginNames: [row.user_name],
    preferredLoginName: row.user_name,
    ...(row.last_signed_in_at !== null && { lastSignIn: timestampFromDate(row.last_signed_in_at) }),
    subject: row.subject ?? "",
    type: row.kind === "human" ? toHuman(row) : toMachine(row),
  });
}

function toMachine({ display_name: name, user_name: userName, description }: UserRow) {
  return { case: "machine", value: { name: name || userName, description: description ?? "" } } as const;
}

function toHuman(row: UserRow) {
  return {
    case: "human",
    value: {
      profile: toProfile(row),
      email: { email: row.email ?? "", isEmailVerified: row.email_verified },
      ...(row.phone !== null && { phone: { phone: row.phone, isPhoneVerified: row.phone_verified } }),
      ...(row.password_changed_at !== null && { passwordChanged: timestampFromDate(row.password_changed_at) }),
      passwordChangeRequired: row.password_change_required,
      secondFactorRequired: row.second_factor_required,
    },
  } as const;
}

/** The response of `getUserById`. */
export function toUserResponse(
  { hasUnusableOtpCode, ...row }: UserRow & { readonly hasUnusableOtpCode: boolean },
  call: Call,
) {
  const user = toUser(row, call);
  if (user.type.case === "human") user.type.value.hasUnusableOtpCode = hasUnusableOtpCode;
  return { user };
}

/** The response of `getMyUser`. */
export function toMyUserResponse(row: UserRow & { readonly hasUnusableOtpCode: boolean }, call: Call) {
  const { user } = toUserResponse(row, { ...call, orgId: requireUser(call).userOrgId });
  return { user, ...(user.lastSignIn && { lastLogin: user.lastSignIn }) };
}

/** Converts a passkey of a user. */
export function toPasskey(row: PasskeyRow) {
  return { ...row, state: AuthFactorState.READY };
}

/** The response of `listHumanAuthFactors`. */
export function toAuthFactors({ hasOneTimeCode }: { readonly hasOneTimeCode: boolean }) {
  const otp = { state: AuthFactorState.READY, type: { case: "otp", value: {} } } as const;
  return { result: hasOneTimeCode ? [otp] : [] };
}

/** Converts a link of a user to a provider. */
export function toIdpLink(row: LinkRow) {
  const isOpenId = SIGN_IN_KINDS[row.idp_kind as IdpKind].protocol === "openid";
  return {
    userId: row.user_id,
    idpId: row.idp_id,
    idpName: row.idp_name,
    providedUserId: row.external_user_id,
    providedUserName: row.display_name,
    idpType: isOpenId ? IDPType.IDP_TYPE_OIDC : IDPType.IDP_TYPE_UNSPECIFIED,
  };
}

/** The response of `importHumanUser`. */
export function toImportResponse(
  { passkeyLink, initializationLink, ...created }: Changed & ImportedHuman,
  _call: Call,
  request: ImportHumanUserRequest,
) {
  const validity = durationFromMs(VALID_SECONDS.passkey * 1_000);
  const expiration = durationFromMs(VALID_SECONDS.initialization * 1_000);
  return {
    ...created,
    warnings: findImportWarnings(request),
    ...(passkeyLink !== undefined && {
      passwordlessRegistration: { link: passkeyLink, lifetime: validity, expiration: validity },
    }),
    ...(initializationLink !== undefined && { initialization: { link: initializationLink, expiration } }),
  };
}

/** The response of `addPasskeyRegistration`. */
export function toRegistrationResponse({ validSeconds, ...registration }: Changed & PasskeyRegistration) {
  return { ...registration, expiration: durationFromMs(validSeconds * 1_000) };
}

/** Converts a session of a user. No event belongs to it alone, so it has no sequence. */
export function toSession(row: SessionRow, { orgId }: Call) {
  return {
    id: row.id,
    details: toDetails({ sequence: 0n, created_at: row.signed_in_at, changed_at: row.last_seen_at }, orgId),
    methods: row.methods,
    appIds: row.app_ids,
    userAgent: row.user_agent ?? "",
    lastSeen: timestampFromDate(row.last_seen_at),
  };
}
