import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { LabelPolicy } from "../../../gen/signet/v1/label_policy_pb.js";
import { type LoginPolicy, PasswordlessType } from "../../../gen/signet/v1/login_policy_pb.js";

import { toDuration, toLifetime } from "../../parts/lifetime.ts";
import { fromLocalTime, toLocalTime } from "../../parts/local-time.ts";

/** The settings of a label policy that the form changes. */
export type BrandingValues = ReturnType<typeof toBrandingValues>;

export function toBrandingValues(policy: LabelPolicy | undefined) {
  return {
    name: policy?.name ?? "",
    primaryColor: policy?.primaryColor ?? "",
    primaryColorDark: policy?.primaryColorDark ?? "",
    supportAddress: policy?.supportAddress ?? "",
    termsUrl: policy?.termsUrl ?? "",
    privacyUrl: policy?.privacyUrl ?? "",
    disableWatermark: policy?.disableWatermark ?? false,
  };
}

/** How long sign-ins last, and when users are asked for a passkey again. */
export const LIFETIMES = [
  "passwordCheckLifetime",
  "externalLoginCheckLifetime",
  "secondFactorCheckLifetime",
  "multiFactorCheckLifetime",
  "mfaInitSkipLifetime",
] as const;

type LifetimeName = (typeof LIFETIMES)[number];

/** The settings of a login policy that the form changes. */
export type LoginValues = ReturnType<typeof toLoginValues>;

export function toLoginValues(policy: LoginPolicy | undefined) {
  return {
    allowUsernamePassword: policy?.allowUsernamePassword ?? false,
    allowPasskeys: policy?.passwordlessType === PasswordlessType.ALLOWED,
    allowExternalIdp: policy?.allowExternalIdp ?? false,
    allowRegister: policy?.allowRegister ?? false,
    allowDomainDiscovery: policy?.allowDomainDiscovery ?? false,
    hidePasswordReset: policy?.hidePasswordReset ?? false,
    disableLoginWithEmail: policy?.disableLoginWithEmail ?? false,
    disableLoginWithPhone: policy?.disableLoginWithPhone ?? false,
    forceMfa: policy?.forceMfa ?? false,
    forceMfaLocalOnly: policy?.forceMfaLocalOnly ?? false,
    /** To the minute, in the zone of the browser; empty for at once. */
    forceMfaFrom: toLocalTime(policy?.forceMfaFrom && timestampDate(policy.forceMfaFrom)),
    disableNewDeviceNotice: policy?.disableNewDeviceNotice ?? false,
    redirectToOnlyIdp: policy?.redirectToOnlyIdp ?? true,
    defaultRedirectUri: policy?.defaultRedirectUri ?? "",
    passwordCheckLifetime: toLifetime(policy?.passwordCheckLifetime),
    externalLoginCheckLifetime: toLifetime(policy?.externalLoginCheckLifetime),
    secondFactorCheckLifetime: toLifetime(policy?.secondFactorCheckLifetime),
    multiFactorCheckLifetime: toLifetime(policy?.multiFactorCheckLifetime),
    mfaInitSkipLifetime: toLifetime(policy?.mfaInitSkipLifetime),
  };
}

/** The request, which replaces all settings. */
export function toLoginRequest(policy: LoginPolicy, { allowPasskeys, forceMfaFrom, ...values }: LoginValues) {
  const time = fromLocalTime(forceMfaFrom);
  // The form shows minutes, and the stored time may have seconds.
  const isKept = forceMfaFrom === toLoginValues(policy).forceMfaFrom;
  const from = isKept ? policy.forceMfaFrom : time && timestampFromDate(time);
  const durations = Object.fromEntries(LIFETIMES.map((name) => [name, toDuration(values[name])]));
  return {
    ...values,
    ...(durations as Record<LifetimeName, { seconds: bigint }>),
    passwordlessType: allowPasskeys ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
    ...(from && { forceMfaFrom: from }),
  };
}
