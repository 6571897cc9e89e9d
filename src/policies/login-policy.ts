import type { LoginPolicyPayload } from "../events/login-policy-payload.ts";

export type LoginPolicy = LoginPolicyPayload;

/** The login policy of the instance until it is changed. */
export const DEFAULT_LOGIN_POLICY: LoginPolicy = {
  allowUsernamePassword: true,
  allowRegister: false,
  allowExternalIdp: true,
  forceMfa: false,
  forceMfaLocalOnly: false,
  forceMfaFrom: null,
  allowPasswordless: true,
  hidePasswordReset: false,
  defaultRedirectUri: null,
  passwordCheckSeconds: null,
  externalLoginCheckSeconds: null,
  secondFactorCheckSeconds: null,
  multiFactorCheckSeconds: null,
  mfaInitSkipSeconds: null,
  allowDomainDiscovery: false,
  disableLoginWithEmail: false,
  disableLoginWithPhone: false,
  disableNewDeviceNotice: false,
  redirectToOnlyIdp: true,
};

/** Reads a stored policy. One that an earlier version has stored lacks newer fields. */
export function toLoginPolicy(stored: Partial<LoginPolicy> | null): LoginPolicy {
  return { ...DEFAULT_LOGIN_POLICY, ...stored };
}
