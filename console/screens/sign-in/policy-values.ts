import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { LabelPolicy } from "../../../gen/signet/v1/label_policy_pb.js";
import { type LoginPolicy, PasswordlessType } from "../../../gen/signet/v1/login_policy_pb.js";

import { type Lifetime, toDuration, toLifetime } from "../../parts/lifetime.ts";
import { fromLocalTime, toLocalTime } from "../../parts/local-time.ts";

/** The settings of a label policy that the form changes. */
export interface BrandingValues {
  readonly name: string;
  readonly primaryColor: string;
  readonly primaryColorDark: string;
  readonly supportAddress: string;
  readonly termsUrl: string;
  readonly privacyUrl: string;
  readonly disableWatermark: boolean;
}

export function toBrandingValues(policy: LabelPolicy | undefined): BrandingValues {
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

export type LifetimeName = (typeof LIFETIMES)[number];

/** The settings of a login policy that the form changes. */
export interface LoginValues {
  readonly allowUsernamePassword: boolean;
  readonly allowPasskeys: boolean;
  readonly allowExternalIdp: boolean;
  readonly allowRegister: boolean;
  readonly allowDomainDiscovery: boolean;
  readonly hidePasswordReset: boolean;
  readonly disableLoginWithEmail: boolean;
  readonly disableLoginWithPhone: boolean;
  readonly forceMfa: boolean;
  readonly forceMfaLocalOnly: boolean;
  /** To the minute, in the zone of the browser; empty for at once. */
  readonly forceMfaFrom: string;
  readonly disableNewDeviceNotice: boolean;
  readonly redirectToOnlyIdp: boolean;
  readonly defaultRedirectUri: string;
  readonly lifetimes: Readonly<Record<LifetimeName, Lifetime>>;
}

export function toLoginValues(policy: LoginPolicy | undefined): LoginValues {
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
    forceMfaFrom: toLocalTime(policy?.forceMfaFrom && timestampDate(policy.forceMfaFrom)),
    disableNewDeviceNotice: policy?.disableNewDeviceNotice ?? false,
    redirectToOnlyIdp: policy?.redirectToOnlyIdp ?? true,
    defaultRedirectUri: policy?.defaultRedirectUri ?? "",
    lifetimes: {
      passwordCheckLifetime: toLifetime(policy?.passwordCheckLifetime),
      externalLoginCheckLifetime: toLifetime(policy?.externalLoginCheckLifetime),
      secondFactorCheckLifetime: toLifetime(policy?.secondFactorCheckLifetime),
      multiFactorCheckLifetime: toLifetime(policy?.multiFactorCheckLifetime),
      mfaInitSkipLifetime: toLifetime(policy?.mfaInitSkipLifetime),
    },
  };
}

/** The request, which replaces all settings. */
export function toLoginRequest(
  policy: LoginPolicy,
  { allowPasskeys, forceMfaFrom, lifetimes, ...settings }: LoginValues,
) {
  const time = fromLocalTime(forceMfaFrom);
  // The form shows minutes, and the stored time may have seconds.
  const isKept = forceMfaFrom === toLoginValues(policy).forceMfaFrom;
  const from = isKept ? policy.forceMfaFrom : time && timestampFromDate(time);
  const durations = LIFETIMES.flatMap((name) => {
    const duration = toDuration(lifetimes[name]);
    return duration ? [[name, duration] as const] : [];
  });
  return {
    ...settings,
    passwordlessType: allowPasskeys ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
    ...(Object.fromEntries(durations) as Partial<Record<LifetimeName, { seconds: bigint }>>),
    ...(from && { forceMfaFrom: from }),
  };
}
