import type { AppEventPayload } from "../database/app-config.ts";
import type { ProfilePayload } from "../database/profile.ts";
import type { LoginPolicyPayload } from "./login-policy-payload.ts";

/** Where a sign-in comes from: the IPv4 /24 or IPv6 /48, and the names of the browser and its system, as far as known. */
interface Origin {
  network?: string;
  browser?: string;
  system?: string;
}

/**
 * The payloads of all events, by event type. Types are named in the past tense and described in `docs/reference/event-types.md`.
 *
 * A payload may contain personal data, but never a secret: no hash, code, client secret or token. Enums are stored as
 * their numbers in the proto.
 */
export interface EventPayloads {
  "instance.added": Record<string, never>;
  "org.added": { name: string };
  "org.deactivated": Record<string, never>;
  "org.reactivated": Record<string, never>;
  "org.changed": { name: string };
  "org.removed": Record<string, never>;
  "org.domain.added": { domain: string };
  /** A token was generated. */
  "org.domain.verification.added": { domain: string; type: "dns" | "http" };
  "org.domain.verified": { domain: string };
  "org.domain.primary.set": { domain: string };
  "org.domain.removed": { domain: string };
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
  "instance.idp.provider.added": ProviderPayload;
  "org.idp.provider.added": ProviderPayload;
  "instance.idp.provider.changed": ChangedProviderPayload;
  "org.idp.provider.changed": ChangedProviderPayload;
  "instance.idp.deactivated": Record<string, never>;
  "org.idp.deactivated": Record<string, never>;
  "instance.idp.reactivated": Record<string, never>;
  "org.idp.reactivated": Record<string, never>;
  /** The links to the provider are removed too, without events for their users. */
  "instance.idp.removed": Record<string, never>;
  "org.idp.removed": Record<string, never>;
  "instance.label.policy.changed": LabelPolicyPayload;
  "org.label.policy.added": LabelPolicyPayload;
  "org.label.policy.changed": LabelPolicyPayload;
  /** `hash`: SHA-256 of the stored file in base64url, for an SVG file with the extension `.svg`. */
  "instance.label.policy.image.added": { image: string; hash: string };
  "org.label.policy.image.added": { image: string; hash: string };
  "instance.label.policy.image.removed": { image: string };
  "org.label.policy.image.removed": { image: string };
  "instance.label.policy.activated": Record<string, never>;
  "org.label.policy.activated": Record<string, never>;
  "instance.label.policy.removed": Record<string, never>;
  "org.label.policy.removed": Record<string, never>;
  "instance.message.text.changed": MessageTextPayload;
  "org.message.text.changed": MessageTextPayload;
  /** The inherited texts are used again. */
  "instance.message.text.removed": { message: string; language: string };
  "org.message.text.removed": { message: string; language: string };
  /** `texts`: by key. An empty text stands for the original. */
  "instance.page.texts.changed": PageTextsPayload;
  "org.page.texts.changed": PageTextsPayload;
  /** The inherited texts are used again. */
  "instance.page.texts.removed": { language: string };
  "org.page.texts.removed": { language: string };
  "instance.login.policy.changed": LoginPolicyPayload;
  "org.login.policy.added": LoginPolicyPayload;
  "org.login.policy.changed": LoginPolicyPayload;
  /** The organization inherits the policy of the instance again. */
  "org.login.policy.removed": Record<string, never>;
  "org.webhook.added": WebhookPayload;
  "org.webhook.changed": WebhookPayload;
  "org.webhook.deactivated": Record<string, never>;
  "org.webhook.reactivated": Record<string, never>;
  "org.webhook.removed": Record<string, never>;
  "org.webhook.key.rotated": Record<string, never>;
  "org.webhook.delivery.retried": { deliveryId: string };
  /** Of the URL only the host, as in `WebhookPayload`. Each time, the signing key is replaced. */
  "org.password.hook.set": { host: string };
  "org.password.hook.removed": Record<string, never>;
  "org.scim.connection.added": ScimConnectionPayload;
  "org.scim.connection.changed": ScimConnectionPayload;
  "org.scim.connection.removed": Record<string, never>;
  "org.scim.connection.token.rotated": Record<string, never>;
  "org.api.added": { identifier: string } & ApiPayload;
  "org.api.changed": ApiPayload;
  "org.api.removed": Record<string, never>;
  "app.oidc.added": { name: string } & AppEventPayload;
  "app.oidc.changed": AppEventPayload;
  "app.oidc.secret.changed": Record<string, never>;
  "app.deactivated": Record<string, never>;
  "app.reactivated": Record<string, never>;
  "app.removed": Record<string, never>;
  /** Without a name if the machine user was created on the command line. */
  "user.machine.added": { userName: string; name?: string; description?: string | null };
  "user.machine.changed": { name: string; description: string | null };
  /** The value in Base64. */
  "user.metadata.set": { key: string; value: string };
  "user.metadata.removed": { key: string };
  "user.app.roles.added": { appId: string; roles: string[] };
  "user.app.roles.removed": { appId: string; roles: string[] };
  "user.token.added": { tokenId: string; lastFour: string; expiresAt: string | null };
  "user.token.revoked": { tokenId: string };
  "user.human.added": HumanPayload;
  /** The user has registered on the sign-in page of an application: `account` for the account page. */
  "user.human.registered": { appId: string };
  "user.username.changed": { userName: string };
  "user.deactivated": Record<string, never>;
  "user.reactivated": Record<string, never>;
  "user.locked": Record<string, never>;
  "user.unlocked": Record<string, never>;
  "user.removed": Record<string, never>;
  "user.human.profile.changed": ProfilePayload;
  "user.human.email.changed": { email: string };
  "user.human.email.verification.requested": { codeId: string };
  /** The user has entered a new address, which replaces the current one once it is verified. */
  "user.human.email.change.requested": { codeId: string };
  "user.human.phone.removed": Record<string, never>;
  "user.human.idp.linked": IdpLinkPayload;
  /** The link has another id of the same external user. */
  "user.human.idp.relinked": { idpId: string; externalUserId: string; formerExternalUserId: string };
  /** The provider has confirmed the identity of the user. */
  "user.human.idp.check.succeeded": { idpId: string } & Origin;
  /** The provider has reported an address that finds another user, so it was not taken over. */
  "user.human.idp.email.refused": { idpId: string; reason: "EMAIL_TAKEN" };
  "user.human.idp.unlinked": { idpId: string; externalUserId: string };
  "user.human.email.verified": { email: string };
  /** `isReturned`: the response of the call had the link, instead of an email. */
  "user.human.initialization.requested": { codeId: string; isReturned?: true };
  /** Without a code if a call has completed the initialization. */
  "user.human.initialized": { codeId: string | null };
  "user.human.password.changed": Record<string, never>;
  /** `failures`: the wrong passwords since the last correct one, at this address or on this device. */
  "user.human.password.check.succeeded": { failures: number } & Origin;
  "user.human.password.check.failed": { failures: number; knownDevice: boolean } & Origin;
  /** The hash of the same password was replaced by one with the configured scheme and costs. */
  "user.human.password.upgraded": Record<string, never>;
  /** The password, or links, that others had placed were ended before a role was granted. */
  "user.human.credentials.ended": Record<string, never>;
  /** The password hook has confirmed the password of a user who had none. */
  "user.human.password.imported": { changeRequired: boolean };
  "user.human.password.reset.requested": { codeId: string };
  "user.human.phone.changed": { phone: string };
  "user.human.phone.verified": { phone: string };
  "user.human.phone.verification.requested": { codeId: string };
  "user.human.passwordless.registration.requested": { codeId: string };
  "user.human.passwordless.registered": { passkeyId: string };
  "user.human.passwordless.renamed": { passkeyId: string; name: string };
  "user.human.passwordless.removed": { passkeyId: string };
  /** The user has asked not to be prompted again to add a passkey. */
  "user.human.passwordless.declined": Record<string, never>;
  "user.human.passwordless.check.succeeded": { passkeyId: string } & Origin;
  /** The signature was valid, but the counter was not higher than the stored one: the passkey may have been copied. */
  "user.human.passwordless.check.failed": { passkeyId: string; counter: number; storedCounter: number } & Origin;
  "user.human.otp.added": Record<string, never>;
  "user.human.otp.removed": Record<string, never>;
  /** `failures`: the wrong one-time codes since the last correct one, at this address or on this device. */
  "user.human.otp.check.succeeded": { failures: number } & Origin;
  "user.human.otp.check.failed": { failures: number; knownDevice: boolean } & Origin;
  /** The codes replace the previous ones. */
  "user.human.recovery.codes.added": Record<string, never>;
  "user.human.recovery.code.used": Origin;
  /** `idpId` if the user signed in with an identity provider. */
  "user.human.signed.in": { appId: string; methods: string[]; idpId?: string } & Origin;
  "user.human.signed.out": Record<string, never>;
  /** The user has withdrawn the access of an application: its tokens are invalid. */
  "user.human.app.access.withdrawn": { appId: string };
  /** A message to the user, which waited or had failed, was made due. */
  "user.human.message.retried": { messageId: string };
}

/** One role, in addition to existing ones. */
interface MemberPayload {
  userId: string;
  userOrgId: string;
  role: string;
}

/** The general settings of a new identity provider. */
interface NewIdpPayload {
  name: string;
  stylingType: number;
  autoRegister: boolean;
}

/** The general settings of an identity provider. */
export interface IdpPayload extends NewIdpPayload {
  federatedLogoutEnabled: boolean;
}

/** The OpenID Connect configuration of an identity provider, without the client secret. */
export interface OidcConfigPayload {
  clientId: string;
  issuer: string;
  scopes: string[];
  displayNameMapping: number;
  usernameMapping: number;
}

export interface OidcIdpPayload extends NewIdpPayload, OidcConfigPayload {}

interface ChangedOidcConfigPayload extends OidcConfigPayload {
  /** Whether a client secret was given. */
  clientSecretChanged: boolean;
}

/** What a provider allows (`signet.v1.ProviderOptions`). */
export interface IdpOptions {
  readonly isLinkingAllowed: boolean;
  readonly isCreationAllowed: boolean;
  readonly isAutoCreation: boolean;
  readonly isAutoUpdate: boolean;
  /** The number of a `signet.v1.AutoLinkingOption` value. */
  readonly autoLinking: number;
}

/** An identity provider of any kind, without its secret. */
export interface ProviderPayload {
  /** Such as `google`. */
  readonly kind: string;
  readonly name: string;
  readonly clientId: string;
  /** Empty for kinds without one. */
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** The settings that only some kinds have. Of endpoints only the hosts, as in `WebhookPayload`. */
  readonly settings: object;
  readonly options: IdpOptions;
}

interface ChangedProviderPayload extends ProviderPayload {
  /** Whether a client secret or a private key was given. */
  readonly secretChanged: boolean;
}

/** A webhook. Of the URL only the host, because its path or query may contain a secret. */
export interface WebhookPayload {
  readonly name: string;
  readonly host: string;
  readonly eventTypes: readonly string[];
  readonly includesPayload: boolean;
}

/** The settings of a SCIM connection. */
export interface ScimConnectionPayload {
  readonly name: string;
  /** Numbers of `ScimAddressRule` and `ScimLinkAttribute`, never 0. */
  readonly addressRule: number;
  readonly linkAttribute: number;
  readonly idpId: string | null;
  readonly groupAppId: string | null;
}

/** The settings of an API that can be changed. */
interface ApiPayload {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly introspectorAppIds: readonly string[];
  readonly allowsUnregisteredClients: boolean;
}

/** The texts of a message in a language, with their placeholders. */
interface MessageTextPayload {
  message: string;
  language: string;
  /** Empty for an SMS, as `button`. */
  subject: string;
  text: string;
  button: string;
}

/** New texts of pages in a language, with their placeholders. */
interface PageTextsPayload {
  language: string;
  texts: Record<string, string>;
}

/** The settings of a label policy, without its images. Texts that are not given are empty. */
export interface LabelPolicyPayload {
  /** `#` and six lowercase hexadecimal digits; empty for the built-in color. */
  primaryColor: string;
  /** The same for dark pages; empty for a lighter shade of `primaryColor`. */
  primaryColorDark: string;
  /** Whether pages do not mention Signet. */
  disableWatermark: boolean;
  name: string;
  supportAddress: string;
  termsUrl: string;
  privacyUrl: string;
}

export interface HumanPayload extends ProfilePayload {
  userName: string;
  email: string;
  phone: string | null;
  /** Whether a password or a password hash was set. */
  hasPassword: boolean;
  passwordChangeRequired: boolean;
  /** Whether sign-ins require a second factor, whatever the login policy says; absent if they do not. */
  secondFactorRequired?: true;
  /** The `sub` that applications see instead of the id; absent if they see the id. */
  subject?: string;
}

export interface IdpLinkPayload {
  idpId: string;
  externalUserId: string;
  displayName: string;
}

type EventType = keyof EventPayloads;

/** An English text for each event, which `ListUserChanges` returns. */
export const EVENT_TEXTS: Readonly<Record<EventType, string>> = {
  "instance.added": "Instance created",
  "instance.member.added": "Role in the instance granted",
  "instance.idp.oidc.added": "Identity provider of the instance added",
  "org.added": "Organization created",
  "org.deactivated": "Organization deactivated",
  "org.reactivated": "Organization reactivated",
  "org.changed": "Organization renamed",
  "org.removed": "Organization removed",
  "org.domain.added": "Domain added",
  "org.domain.verification.added": "Token of a domain generated",
  "org.domain.verified": "Domain verified",
  "org.domain.primary.set": "Primary domain set",
  "org.domain.removed": "Domain removed",
  "org.member.added": "Role in the organization granted",
  "instance.member.changed": "Roles in the instance changed",
  "org.member.changed": "Roles in the organization changed",
  "instance.member.removed": "Roles in the instance removed",
  "org.member.removed": "Roles in the organization removed",
  "org.idp.oidc.added": "Identity provider added",
  "instance.idp.changed": "Identity provider of the instance changed",
  "org.idp.changed": "Identity provider changed",
  "instance.idp.oidc.changed": "OpenID Connect configuration of an identity provider of the instance changed",
  "org.idp.oidc.changed": "OpenID Connect configuration changed",
  "instance.idp.provider.added": "Identity provider of the instance added",
  "org.idp.provider.added": "Identity provider added",
  "instance.idp.provider.changed": "Settings of an identity provider of the instance changed",
  "org.idp.provider.changed": "Settings of an identity provider changed",
  "instance.idp.deactivated": "Identity provider of the instance deactivated",
  "org.idp.deactivated": "Identity provider deactivated",
  "instance.idp.reactivated": "Identity provider of the instance reactivated",
  "org.idp.reactivated": "Identity provider reactivated",
  "instance.idp.removed": "Identity provider of the instance removed",
  "org.idp.removed": "Identity provider removed",
  "instance.label.policy.changed": "Branding of the instance changed",
  "org.label.policy.added": "Branding added",
  "org.label.policy.changed": "Branding changed",
  "instance.label.policy.image.added": "Image of the branding of the instance replaced",
  "org.label.policy.image.added": "Image of the branding replaced",
  "instance.label.policy.image.removed": "Image of the branding of the instance removed",
  "org.label.policy.image.removed": "Image of the branding removed",
  "instance.label.policy.activated": "Branding of the instance activated",
  "org.label.policy.activated": "Branding activated",
  "instance.label.policy.removed": "Branding of the instance removed",
  "org.label.policy.removed": "Branding removed",
  "instance.message.text.changed": "Texts of a message of the instance replaced",
  "org.message.text.changed": "Texts of a message replaced",
  "instance.message.text.removed": "Texts of a message of the instance reset",
  "org.message.text.removed": "Texts of a message reset",
  "instance.page.texts.changed": "Texts of pages of the instance replaced",
  "org.page.texts.changed": "Texts of pages replaced",
  "instance.page.texts.removed": "Texts of pages of the instance reset",
  "org.page.texts.removed": "Texts of pages reset",
  "instance.login.policy.changed": "Login policy of the instance changed",
  "org.login.policy.added": "Login policy added",
  "org.login.policy.changed": "Login policy changed",
  "org.login.policy.removed": "Login policy removed",
  "org.webhook.added": "Webhook added",
  "org.webhook.changed": "Webhook changed",
  "org.webhook.deactivated": "Webhook deactivated",
  "org.webhook.reactivated": "Webhook reactivated",
  "org.webhook.removed": "Webhook removed",
  "org.webhook.key.rotated": "Signing key of the webhook replaced",
  "org.webhook.delivery.retried": "Delivery of the webhook retried",
  "org.password.hook.set": "Password hook set",
  "org.password.hook.removed": "Password hook removed",
  "org.scim.connection.added": "SCIM connection added",
  "org.scim.connection.changed": "SCIM connection changed",
  "org.scim.connection.removed": "SCIM connection removed",
  "org.scim.connection.token.rotated": "Token of the SCIM connection replaced",
  "org.api.added": "API added",
  "org.api.changed": "API changed",
  "org.api.removed": "API removed",
  "app.oidc.added": "Application added",
  "app.oidc.changed": "Configuration of the application changed",
  "app.oidc.secret.changed": "Client secret replaced",
  "app.deactivated": "Application deactivated",
  "app.reactivated": "Application reactivated",
  "app.removed": "Application removed",
  "user.machine.added": "Machine user created",
  "user.machine.changed": "Name and description of the machine user changed",
  "user.metadata.set": "Metadata stored",
  "user.metadata.removed": "Metadata removed",
  "user.app.roles.added": "Roles in an application granted",
  "user.app.roles.removed": "Roles in an application removed",
  "user.token.added": "Token created",
  "user.token.revoked": "Token revoked",
  "user.username.changed": "User name changed",
  "user.deactivated": "User deactivated",
  "user.reactivated": "User reactivated",
  "user.locked": "User locked",
  "user.unlocked": "User unlocked",
  "user.removed": "User removed",
  "user.human.added": "User created",
  "user.human.registered": "User registered",
  "user.human.profile.changed": "Profile changed",
  "user.human.email.changed": "Email address changed",
  "user.human.email.verification.requested": "Verification of the email address requested",
  "user.human.email.change.requested": "Change of the email address requested",
  "user.human.phone.removed": "Phone number removed",
  "user.human.idp.linked": "External user linked",
  "user.human.idp.relinked": "Link changed to another id of the external user",
  "user.human.idp.check.succeeded": "Identity confirmed by a provider",
  "user.human.idp.email.refused": "Address of a provider not taken over, because it is another user's",
  "user.human.idp.unlinked": "Link to an identity provider removed",
  "user.human.email.verified": "Email address verified",
  "user.human.initialization.requested": "Initialization requested",
  "user.human.initialized": "Initialization finished",
  "user.human.password.changed": "Password changed",
  "user.human.password.check.succeeded": "Password entered correctly",
  "user.human.password.check.failed": "Wrong password entered",
  "user.human.password.upgraded": "Password hash renewed",
  "user.human.password.imported": "Password of the earlier system stored",
  "user.human.password.reset.requested": "New password requested",
  "user.human.credentials.ended": "Password or links placed by others ended",
  "user.human.phone.changed": "Phone number changed",
  "user.human.phone.verified": "Phone number verified",
  "user.human.phone.verification.requested": "Verification of the phone number requested",
  "user.human.passwordless.registration.requested": "Registration of a passkey requested",
  "user.human.passwordless.registered": "Passkey registered",
  "user.human.passwordless.renamed": "Passkey renamed",
  "user.human.passwordless.removed": "Passkey removed",
  "user.human.passwordless.declined": "Adding a passkey declined",
  "user.human.passwordless.check.succeeded": "Passkey used",
  "user.human.passwordless.check.failed": "Passkey refused: there may be a copy of it",
  "user.human.otp.added": "One-time codes set up",
  "user.human.otp.removed": "One-time codes removed",
  "user.human.otp.check.succeeded": "One-time code entered correctly",
  "user.human.otp.check.failed": "Wrong one-time code entered",
  "user.human.recovery.codes.added": "Recovery codes created",
  "user.human.recovery.code.used": "Recovery code used",
  "user.human.signed.in": "User signed in",
  "user.human.signed.out": "User signed out",
  "user.human.app.access.withdrawn": "Access of an application withdrawn",
  "user.human.message.retried": "Message sent again",
};

/** The text of an event; its type if the event was recorded by another version of the service. */
export function toEventText(type: string): string {
  return Object.hasOwn(EVENT_TEXTS, type) ? EVENT_TEXTS[type as EventType] : type;
}

/** An event to be recorded. */
export type NewEvent = { [T in EventType]: { readonly type: T; readonly payload: EventPayloads[T] } }[EventType];
