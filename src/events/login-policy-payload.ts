/**
 * How the users of an organization can sign in: the login policy of the organization, or of the instance. The policy is
 * stored in this form too, because it is always read and written as a whole.
 */
export interface LoginPolicyPayload {
  readonly allowUsernamePassword: boolean;
  /** Whether people can register themselves. */
  readonly allowRegister: boolean;
  /** Whether users can sign in with identity providers. */
  readonly allowExternalIdp: boolean;
  /** Whether every sign-in requires a second factor. */
  readonly forceMfa: boolean;
  /** Whether a second factor is required, but not of users who sign in with an identity provider. */
  readonly forceMfaLocalOnly: boolean;
  /** From when on it is required, in ISO 8601; null if it is at once. */
  readonly forceMfaFrom: string | null;
  /** Whether users can sign in with a passkey alone. It is accepted as a second factor in any case. */
  readonly allowPasswordless: boolean;
  readonly hidePasswordReset: boolean;
  /** Where pages lead that no application has asked for; null for the account page. */
  readonly defaultRedirectUri: string | null;
  /** How long a sign-in lasts, by its methods. Null for the lifetimes of sessions. */
  readonly passwordCheckSeconds: number | null;
  readonly externalLoginCheckSeconds: number | null;
  readonly secondFactorCheckSeconds: number | null;
  readonly multiFactorCheckSeconds: number | null;
  /** After which time users who declined to add a passkey are asked again; null for PASSKEY_OFFER. */
  readonly mfaInitSkipSeconds: number | null;
  readonly allowDomainDiscovery: boolean;
  readonly disableLoginWithEmail: boolean;
  readonly disableLoginWithPhone: boolean;
  /** Whether users get no email about a sign-in from a new device. */
  readonly disableNewDeviceNotice: boolean;
  /** Whether the sign-in page redirects to a provider at once if it is the only way to sign in. */
  readonly redirectToOnlyIdp: boolean;
}
