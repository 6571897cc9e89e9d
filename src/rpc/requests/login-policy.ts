import { type Duration, timestampDate } from "@bufbuild/protobuf/wkt";
import {
  type AddCustomLoginPolicyRequest,
  MultiFactorType,
  PasswordlessType,
  SecondFactorType,
  type UpdateCustomLoginPolicyRequest,
  type UpdateLoginPolicyRequest,
} from "../../../gen/signet/v1/login_policy_pb.js";
import type { Problems } from "../../errors.ts";
import { checkLoginPolicy } from "../../policies/check-login-policy.ts";
import { DEFAULT_LOGIN_POLICY, type LoginPolicy } from "../../policies/login-policy.ts";

/** The fields for `addLoginPolicy`. Values that Signet does not support are refused. */
export function toNewPolicy(request: AddCustomLoginPolicyRequest, problems: Problems): LoginPolicy {
  const { secondFactors, multiFactors, idps } = request;
  for (const [index, factor] of secondFactors.entries()) {
    if (factor === SecondFactorType.OTP) continue;
    problems.add(`secondFactors[${index}]`, "is not supported: only SECOND_FACTOR_TYPE_OTP is");
  }
  for (const [index, factor] of multiFactors.entries()) {
    if (factor === MultiFactorType.U2F_WITH_VERIFICATION) continue;
    problems.add(`multiFactors[${index}]`, "is not supported: only MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION is");
  }
  if (idps.length > 0) {
    problems.add("idps", "is not supported: all active providers of the organization and the instance are offered");
  }
  return toPolicy(request, problems);
}

/** The fields for `updateLoginPolicy` and `updateInstanceLoginPolicy`. */
export function toPolicy(
  request: AddCustomLoginPolicyRequest | UpdateCustomLoginPolicyRequest | UpdateLoginPolicyRequest,
  problems: Problems,
): LoginPolicy {
  if (request.ignoreUnknownUsernames === false) {
    problems.add("ignoreUnknownUsernames", "must be true or absent: Signet never reveals whether a user exists");
  }
  const read = (field: Extract<keyof typeof request, `${string}Lifetime`>) =>
    toSeconds(field, request[field], problems);
  const policy = {
    allowUsernamePassword: request.allowUsernamePassword,
    allowRegister: request.allowRegister,
    allowExternalIdp: request.allowExternalIdp,
    forceMfa: request.forceMfa,
    forceMfaLocalOnly: request.forceMfaLocalOnly,
    forceMfaFrom: request.forceMfaFrom === undefined ? null : timestampDate(request.forceMfaFrom).toISOString(),
    allowPasswordless: request.passwordlessType === PasswordlessType.ALLOWED,
    hidePasswordReset: request.hidePasswordReset,
    defaultRedirectUri: request.defaultRedirectUri || null,
    passwordCheckSeconds: read("passwordCheckLifetime"),
    externalLoginCheckSeconds: read("externalLoginCheckLifetime"),
    secondFactorCheckSeconds: read("secondFactorCheckLifetime"),
    multiFactorCheckSeconds: read("multiFactorCheckLifetime"),
    mfaInitSkipSeconds: read("mfaInitSkipLifetime"),
    allowDomainDiscovery: request.allowDomainDiscovery,
    disableLoginWithEmail: request.disableLoginWithEmail,
    disableLoginWithPhone: request.disableLoginWithPhone,
    disableNewDeviceNotice: request.disableNewDeviceNotice,
    redirectToOnlyIdp: request.redirectToOnlyIdp ?? DEFAULT_LOGIN_POLICY.redirectToOnlyIdp,
  };
  return checkLoginPolicy(policy, problems);
}

function toSeconds(field: string, duration: Duration | undefined, problems: Problems): number | null {
  if (duration === undefined) return null;
  if (duration.nanos !== 0) problems.add(field, "must be in whole seconds");
  return Number(duration.seconds);
}
