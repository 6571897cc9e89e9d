import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ImportHumanUserRequest } from "../../../gen/signet/v1/management_pb.js";
import { AuthFactorState, type User, UserSchema } from "../../../gen/signet/v1/user_pb.js";
import { IDPType } from "../../../gen/signet/v1/user_read_pb.js";
import type { Call } from "../../call.ts";
import { VALID_SECONDS } from "../../codes/kinds.ts";
import { toProfile } from "../../database/profile.ts";
import type { Changed } from "../../events/object-details.ts";
import type { IdpKind } from "../../idps/kinds.ts";
import { findImportWarnings } from "../../sign-in/import-warnings.ts";
import { SIGN_IN_KINDS } from "../../sign-in/kinds/kinds.ts";
import type { PasskeyRegistration } from "../../users/credentials/add-passkey-registration.ts";
import type { ImportedHuman } from "../../users/import/import-human-user.ts";
import type { LinkRow } from "../../users/read/list-human-linked-idps.ts";
import type { PasskeyRow } from "../../users/read/list-human-passwordless.ts";
import type { UserRow } from "../../users/read/user-row.ts";
import { toDetails } from "./details.ts";

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
  const { user } = toUserResponse(row, { ...call, orgId: call.userOrgId });
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
