import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type LoginPolicy,
  LoginPolicySchema,
  MultiFactorType,
  PasswordlessType,
  SecondFactorType,
} from "../../../gen/signet/v1/login_policy_pb.js";
import type { FoundLoginPolicy } from "../../policies/get-login-policy.ts";
import { toDetails } from "./details.ts";

/** Converts a policy to one in a response. */
export function toLoginPolicy({ policy, ownerId, isDefault, ...row }: FoundLoginPolicy): LoginPolicy {
  const { allowPasswordless, defaultRedirectUri, forceMfaFrom } = policy;
  return create(LoginPolicySchema, {
    details: toDetails(row, ownerId),
    isDefault,
    allowUsernamePassword: policy.allowUsernamePassword,
    allowRegister: policy.allowRegister,
    allowExternalIdp: policy.allowExternalIdp,
    forceMfa: policy.forceMfa,
    forceMfaLocalOnly: policy.forceMfaLocalOnly,
    ...(forceMfaFrom !== null && { forceMfaFrom: timestampFromDate(new Date(forceMfaFrom)) }),
    passwordlessType: allowPasswordless ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
    hidePasswordReset: policy.hidePasswordReset,
    ignoreUnknownUsernames: true,
    defaultRedirectUri: defaultRedirectUri ?? "",
    ...lifetime("passwordCheckLifetime", policy.passwordCheckSeconds),
    ...lifetime("externalLoginCheckLifetime", policy.externalLoginCheckSeconds),
    ...lifetime("mfaInitSkipLifetime", policy.mfaInitSkipSeconds),
    ...lifetime("secondFactorCheckLifetime", policy.secondFactorCheckSeconds),
    ...lifetime("multiFactorCheckLifetime", policy.multiFactorCheckSeconds),
    secondFactors: [SecondFactorType.OTP],
    multiFactors: [MultiFactorType.U2F_WITH_VERIFICATION],
    allowDomainDiscovery: policy.allowDomainDiscovery,
    disableLoginWithEmail: policy.disableLoginWithEmail,
    disableLoginWithPhone: policy.disableLoginWithPhone,
    disableNewDeviceNotice: policy.disableNewDeviceNotice,
    redirectToOnlyIdp: policy.redirectToOnlyIdp,
  });
}

function lifetime(field: string, seconds: number | null) {
  return seconds === null ? {} : { [field]: durationFromMs(seconds * 1_000) };
}
