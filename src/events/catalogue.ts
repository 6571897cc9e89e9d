/**
 * The payloads of all events, by event type. Types are named in the past tense and described in `docs/events.md`.
 *
 * A payload may contain personal data, but never a secret: no hash, code, client secret or token. Enums are stored as
 * their numbers in the proto.
 */
export interface EventPayloads {
  "instance.added": Record<string, never>;
  "org.added": { name: string };
  "instance.member.added": MemberPayload;
  "org.member.added": MemberPayload;
  "instance.member.changed": { userId: string; roles: string[] };
  "org.member.changed": { userId: string; roles: string[] };
  /** The user has lost all roles in the scope. */
  "instance.member.removed": { userId: string };
  "org.member.removed": { userId: string };
  "instance.idp.oidc.added": OidcIdpPayload;
  "org.idp.oidc.added": OidcIdpPayload;
  "instance.idp.changed": IdpPayload;
  "org.idp.changed": IdpPayload;
  "instance.idp.oidc.changed": ChangedOidcConfigPayload;
  "org.idp.oidc.changed": ChangedOidcConfigPayload;
  "instance.idp.deactivated": Record<string, never>;
  "org.idp.deactivated": Record<string, never>;
  "instance.idp.reactivated": Record<string, never>;
  "org.idp.reactivated": Record<string, never>;
  /** The links to the provider are removed too, without events for their users. */
  "instance.idp.removed": Record<string, never>;
  "org.idp.removed": Record<string, never>;
  "app.oidc.added": { name: string } & OidcAppPayload;
  "app.oidc.changed": OidcAppPayload;
  "app.oidc.secret.changed": Record<string, never>;
  "app.deactivated": Record<string, never>;
  "app.reactivated": Record<string, never>;
  "app.removed": Record<string, never>;
  "user.machine.added": { userName: string };
  "user.token.added": { tokenId: string; lastFour: string; expiresAt: string | null };
  "user.token.revoked": { tokenId: string };
  "user.human.added": HumanPayload;
  "user.deactivated": Record<string, never>;
  "user.reactivated": Record<string, never>;
  "user.locked": Record<string, never>;
  "user.unlocked": Record<string, never>;
  "user.removed": Record<string, never>;
  "user.human.profile.changed": ProfilePayload;
  "user.human.email.changed": { email: string };
  "user.human.email.verification.requested": { codeId: string };
  "user.human.phone.removed": Record<string, never>;
  "user.human.idp.linked": IdpLinkPayload;
  /** The provider has confirmed the identity of the user. */
  "user.human.idp.check.succeeded": { idpId: string };
  "user.human.idp.unlinked": { idpId: string; externalUserId: string };
  "user.human.email.verified": { email: string };
  "user.human.initialization.requested": { codeId: string };
  /** Without a code if a call has completed the initialization. */
  "user.human.initialized": { codeId: string | null };
  "user.human.password.changed": Record<string, never>;
  /** `failures`: the wrong passwords since the last correct one, at this address or on this device. */
  "user.human.password.check.succeeded": { failures: number };
  "user.human.password.check.failed": { failures: number; knownDevice: boolean };
  /** The hash of the same password was replaced by one with the configured scheme and costs. */
  "user.human.password.upgraded": Record<string, never>;
  "user.human.password.reset.requested": { codeId: string };
  "user.human.phone.changed": { phone: string };
  "user.human.phone.verified": { phone: string };
  "user.human.phone.verification.requested": { codeId: string };
  "user.human.passwordless.registration.requested": { codeId: string };
  "user.human.passwordless.registered": { passkeyId: string };
  "user.human.passwordless.removed": { passkeyId: string };
  /** The user has asked not to be prompted again to add a passkey. */
  "user.human.passwordless.declined": Record<string, never>;
  "user.human.passwordless.check.succeeded": { passkeyId: string };
  /** The signature was valid, but the counter was not higher than the stored one: the passkey may have been copied. */
  "user.human.passwordless.check.failed": { passkeyId: string; counter: number; storedCounter: number };
  "user.human.otp.added": Record<string, never>;
  "user.human.otp.removed": Record<string, never>;
  /** `failures`: the wrong one-time codes since the last correct one, at this address or on this device. */
  "user.human.otp.check.succeeded": { failures: number };
  "user.human.otp.check.failed": { failures: number; knownDevice: boolean };
  /** The codes replace the previous ones. */
  "user.human.recovery.codes.added": Record<string, never>;
  "user.human.recovery.code.used": Record<string, never>;
  /** `idpId` if the user signed in with an identity provider. */
  "user.human.signed.in": { appId: string; methods: string[]; idpId?: string };
  "user.human.signed.out": Record<string, never>;
}

/** One role, in addition to existing ones. */
interface MemberPayload {
  userId: string;
  userOrgId: string;
  role: string;
}

/** The general settings of an identity provider. */
export interface IdpPayload {
  name: string;
  stylingType: number;
  autoRegister: boolean;
}

/** The OpenID Connect configuration of an identity provider, without the client secret. */
export interface OidcConfigPayload {
  clientId: string;
  issuer: string;
  scopes: string[];
  displayNameMapping: number;
  usernameMapping: number;
}

export interface OidcIdpPayload extends IdpPayload, OidcConfigPayload {}

interface ChangedOidcConfigPayload extends OidcConfigPayload {
  /** Whether a client secret was given. */
  clientSecretChanged: boolean;
}

export interface ProfilePayload {
  firstName: string;
  lastName: string;
  nickName: string | null;
  displayName: string;
  preferredLanguage: string | null;
  gender: number;
}

/** The configuration of an application. */
export interface OidcAppPayload {
  type: "web" | "spa" | "native";
  authMethod: "basic" | "post" | "none";
  /** Names of OAuth, such as `authorization_code`. */
  grantTypes: string[];
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  additionalOrigins: string[];
  backChannelLogoutUri: string | null;
  accessTokenType: "opaque" | "jwt";
  devMode: boolean;
}

export interface HumanPayload extends ProfilePayload {
  userName: string;
  email: string;
  phone: string | null;
  /** Whether a password or a password hash was set. */
  hasPassword: boolean;
  passwordChangeRequired: boolean;
}

export interface IdpLinkPayload {
  idpId: string;
  externalUserId: string;
  displayName: string;
}

export type EventType = keyof EventPayloads;

/** An event to be recorded. */
export type NewEvent = { [T in EventType]: { readonly type: T; readonly payload: EventPayloads[T] } }[EventType];
