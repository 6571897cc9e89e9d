import { create } from "@bufbuild/protobuf";
import { type Duration, durationFromMs, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type AddCustomLoginPolicyRequest,
  LoginPolicySchema,
  MultiFactorType,
  PasswordlessType,
  SecondFactorType,
  type UpdateCustomLoginPolicyRequest,
  type UpdateLoginPolicyRequest,
} from "../../../gen/signet/v1/login_policy_pb.js";
import type { Problems } from "../../errors.ts";
import { checkLoginPolicy, LIFETIMES } from "../../policies/check-login-policy.ts";
import type { FoundLoginPolicy } from "../../policies/get-login-policy.ts";
import { DEFAULT_LOGIN_POLICY, type LoginPolicy } from "../../policies/login-policy.ts";
import { toDetails } from "./details.ts";

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
  const lifetimes = Object.entries(LIFETIMES).map(([name, { field }]) => [
    field,
    toSeconds(name, request[name as keyof typeof LIFETIMES], problems),
  ]);
  const policy = {
    ...pickFlags(request),
    ...(Object.fromEntries(lifetimes) as { readonly [Name in Lifetime]: number | null }),
    forceMfaFrom: request.forceMfaFrom === undefined ? null : timestampDate(request.forceMfaFrom).toISOString(),
    allowPasswordless: request.passwordlessType === PasswordlessType.ALLOWED,
    defaultRedirectUri: request.defaultRedirectUri || null,
    redirectToOnlyIdp: request.redirectToOnlyIdp ?? DEFAULT_LOGIN_POLICY.redirectToOnlyIdp,
  };
  return checkLoginPolicy(policy, problems);
}

/** The settings that messages have under the same names. */
const FLAGS = [
  ...["allowUsernamePassword", "allowRegister", "allowExternalIdp", "forceMfa", "forceMfaLocalOnly"],
  ...["hidePasswordReset", "allowDomainDiscovery", "disableLoginWithEmail", "disableLoginWithPhone"],
  "disableNewDeviceNotice",
] as const;

type Flag = (typeof FLAGS)[number];

type Lifetime = (typeof LIFETIMES)[keyof typeof LIFETIMES]["field"];

function pickFlags(from: { readonly [Name in Flag]: boolean }): { readonly [Name in Flag]: boolean } {
  return Object.fromEntries(FLAGS.map((name) => [name, from[name]])) as { readonly [Name in Flag]: boolean };
}

function toSeconds(field: string, duration: Duration | undefined, problems: Problems): number | null {
  if (duration === undefined) return null;
  if (duration.nanos !== 0) problems.add(field, "must be in whole seconds");
  return Number(duration.seconds);
}

/** Converts a policy to one in a response. */
export function toLoginPolicy({ policy, ownerId, isDefault, ...row }: FoundLoginPolicy) {
  const { allowPasswordless, defaultRedirectUri, forceMfaFrom, redirectToOnlyIdp } = policy;
  const lifetimes = Object.entries(LIFETIMES).flatMap(([name, { field }]) => {
    const seconds = policy[field];
    return seconds === null ? [] : [[name, durationFromMs(seconds * 1_000)]];
  });
  return create(LoginPolicySchema, {
    ...pickFlags(policy),
    ...Object.fromEntries(lifetimes),
    details: toDetails(row, ownerId),
    isDefault,
    ...(forceMfaFrom !== null && { forceMfaFrom: timestampFromDate(new Date(forceMfaFrom)) }),
    passwordlessType: allowPasswordless ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
    ignoreUnknownUsernames: true,
    defaultRedirectUri: defaultRedirectUri ?? "",
    redirectToOnlyIdp,
    secondFactors: [SecondFactorType.OTP],
    multiFactors: [MultiFactorType.U2F_WITH_VERIFICATION],
  });
}
