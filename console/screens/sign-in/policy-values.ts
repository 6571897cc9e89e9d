import type { LabelPolicy } from "../../../gen/signet/v1/label_policy_pb.js";
import { type LoginPolicy, PasswordlessType } from "../../../gen/signet/v1/login_policy_pb.js";

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

/** The settings of a login policy that the form changes. */
export interface LoginValues {
  readonly allowUsernamePassword: boolean;
  readonly allowPasskeys: boolean;
  readonly allowExternalIdp: boolean;
  readonly allowRegister: boolean;
  readonly hidePasswordReset: boolean;
  readonly disableLoginWithEmail: boolean;
  readonly disableLoginWithPhone: boolean;
  readonly forceMfa: boolean;
  readonly forceMfaLocalOnly: boolean;
  readonly disableNewDeviceNotice: boolean;
  readonly defaultRedirectUri: string;
}

export function toLoginValues(policy: LoginPolicy | undefined): LoginValues {
  return {
    allowUsernamePassword: policy?.allowUsernamePassword ?? false,
    allowPasskeys: policy?.passwordlessType === PasswordlessType.ALLOWED,
    allowExternalIdp: policy?.allowExternalIdp ?? false,
    allowRegister: policy?.allowRegister ?? false,
    hidePasswordReset: policy?.hidePasswordReset ?? false,
    disableLoginWithEmail: policy?.disableLoginWithEmail ?? false,
    disableLoginWithPhone: policy?.disableLoginWithPhone ?? false,
    forceMfa: policy?.forceMfa ?? false,
    forceMfaLocalOnly: policy?.forceMfaLocalOnly ?? false,
    disableNewDeviceNotice: policy?.disableNewDeviceNotice ?? false,
    defaultRedirectUri: policy?.defaultRedirectUri ?? "",
  };
}

/** The call replaces all settings, so those that the form does not show are sent as they are. */
export function toLoginRequest(policy: LoginPolicy, { allowPasskeys, ...values }: LoginValues) {
  return {
    ...values,
    passwordlessType: allowPasskeys ? PasswordlessType.ALLOWED : PasswordlessType.NOT_ALLOWED,
    allowDomainDiscovery: policy.allowDomainDiscovery,
    ...(policy.passwordCheckLifetime && { passwordCheckLifetime: policy.passwordCheckLifetime }),
    ...(policy.externalLoginCheckLifetime && { externalLoginCheckLifetime: policy.externalLoginCheckLifetime }),
    ...(policy.mfaInitSkipLifetime && { mfaInitSkipLifetime: policy.mfaInitSkipLifetime }),
    ...(policy.secondFactorCheckLifetime && { secondFactorCheckLifetime: policy.secondFactorCheckLifetime }),
    ...(policy.multiFactorCheckLifetime && { multiFactorCheckLifetime: policy.multiFactorCheckLifetime }),
    ...(policy.forceMfaFrom && { forceMfaFrom: policy.forceMfaFrom }),
  };
}
