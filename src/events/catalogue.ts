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
 * All events: the English text of each, which `ListUserChanges` returns, and the type of its payload, which is empty if
 * none is given. Types are named in the past tense and described in `docs/reference/event-types.md`.
 *
 * A payload may contain personal data, but never a secret: no hash, code, client secret or token. Enums are stored as
 * their numbers in the proto.
 */
const EVENTS = {
  "instance.added": event("Instance created"),
  "instance.member.added": event<MemberPayload>("Role in the instance granted"),
  "instance.idp.oidc.added": event<OidcIdpPayload>("Identity provider of the instance added"),
  "org.added": event<{ name: string }>("Organization created"),
  "org.deactivated": event("Organization deactivated"),
  "org.reactivated": event("Organization reactivated"),
  "org.changed": event<{ name: string }>("Organization renamed"),
  "org.removed": event("Organization removed"),
  "org.domain.added": event<{ domain: string }>("Domain added"),
  /** A token was generated. */
  "org.domain.verification.added": event<{ domain: string; type: "dns" | "http" }>("Token of a domain generated"),
  "org.domain.verified": event<{ domain: string }>("Domain verified"),
  "org.domain.primary.set": event<{ domain: string }>("Primary domain set"),
  "org.domain.removed": event<{ domain: string }>("Domain removed"),
  "org.member.added": event<MemberPayload>("Role in the organization granted"),
  "instance.member.changed": event<{ userId: string; roles: string[] }>("Roles in the instance changed"),
  "org.member.changed": event<{ userId: string; roles: string[] }>("Roles in the organization changed"),
  /** The user has lost all roles in the scope. */
  "instance.member.removed": event<{ userId: string }>("Roles in the instance removed"),
  "org.member.removed": event<{ userId: string }>("Roles in the organization removed"),
  "org.idp.oidc.added": event<OidcIdpPayload>("Identity provider added"),
  "instance.idp.changed": event<IdpPayload>("Identity provider of the instance changed"),
  "org.idp.changed": event<IdpPayload>("Identity provider changed"),
  "instance.idp.oidc.changed": event<ChangedOidcConfigPayload>(
    "OpenID Connect configuration of an identity provider of the instance changed",
  ),
  "org.idp.oidc.changed": event<ChangedOidcConfigPayload>("OpenID Connect configuration changed"),
  "instance.idp.provider.added": event<ProviderPayload>("Identity provider of the instance added"),
  "org.idp.provider.added": event<ProviderPayload>("Identity provider added"),
  "instance.idp.provider.changed": event<ChangedProviderPayload>(
    "Settings of an identity provider of the instance changed",
  ),
  "org.idp.provider.changed": event<ChangedProviderPayload>("Settings of an identity provider changed"),
  "instance.idp.deactivated": event("Identity provider of the instance deactivated"),
  "org.idp.deactivated": event("Identity provider deactivated"),
  "instance.idp.reactivated": event("Identity provider of the instance reactivated"),
  "org.idp.reactivated": event("Identity provider reactivated"),
  /** The links to the provider are removed too, without events for their users. */
  "instance.idp.removed": event("Identity provider of the instance removed"),
  "org.idp.removed": event("Identity provider removed"),
  "instance.label.policy.changed": event<LabelPolicyPayload>("Branding of the instance changed"),
  "org.label.policy.added": event<LabelPolicyPayload>("Branding added"),
  "org.label.policy.changed": event<LabelPolicyPayload>("Branding changed"),
  /** `hash`: SHA-256 of the stored file in base64url, for an SVG file with the extension `.svg`. */
  "instance.label.policy.image.added": event<{ image: string; hash: string }>(
    "Image of the branding of the instance replaced",
  ),
  "org.label.policy.image.added": event<{ image: string; hash: string }>("Image of the branding replaced"),
  "instance.label.policy.image.removed": event<{ image: string }>("Image of the branding of the instance removed"),
  "org.label.policy.image.removed": event<{ image: string }>("Image of the branding removed"),
  "instance.label.policy.activated": event("Branding of the instance activated"),
  "org.label.policy.activated": event("Branding activated"),
  "instance.label.policy.removed": event("Branding of the instance removed"),
  "org.label.policy.removed": event("Branding removed"),
  "instance.message.text.changed": event<MessageTextPayload>("Texts of a message of the instance replaced"),
  "org.message.text.changed": event<MessageTextPayload>("Texts of a message replaced"),
  /** The inherited texts are used again. */
  "instance.message.text.removed": event<{ message: string; language: string }>(
    "Texts of a message of the instance reset",
  ),
  "org.message.text.removed": event<{ message: string; language: string }>("Texts of a message reset"),
  /** `texts`: by key. An empty text stands for the original. */
  "instance.page.texts.changed": event<PageTextsPayload>("Texts of pages of the instance replaced"),
  "org.page.texts.changed": event<PageTextsPayload>("Texts of pages replaced"),
  /** The inherited texts are used again. */
  "instance.page.texts.removed": event<{ language: string }>("Texts of pages of the instance reset"),
  "org.page.texts.removed": event<{ language: string }>("Texts of pages reset"),
  "instance.login.policy.changed": event<LoginPolicyPayload>("Login policy of the instance changed"),
  "org.login.policy.added": event<LoginPolicyPayload>("Login policy added"),
  "org.login.policy.changed": event<LoginPolicyPayload>("Login policy changed"),
  /** The organization inherits the policy of the instance again. */
  "org.login.policy.removed": event("Login policy removed"),
  "org.webhook.added": event<WebhookPayload>("Webhook added"),
  "org.webhook.changed": event<WebhookPayload>("Webhook changed"),
  "org.webhook.deactivated": event("Webhook deactivated"),
  "org.webhook.reactivated": event("Webhook reactivated"),
  "org.webhook.removed": event("Webhook removed"),
  "org.webhook.key.rotated": event("Signing key of the webhook replaced"),
  "org.webhook.delivery.retried": event<{ deliveryId: string }>("Delivery of the webhook retried"),
  /** Of the URL only the host, as in `WebhookPayload`. Each time, the signing key is replaced. */
  "org.password.hook.set": event<{ host: string }>("Password hook set"),
  "org.password.hook.removed": event("Password hook removed"),
  "org.scim.connection.added": event<ScimConnectionPayload>("SCIM connection added"),
  "org.scim.connection.changed": event<ScimConnectionPayload>("SCIM connection changed"),
  "org.scim.connection.removed": event("SCIM connection removed"),
  "org.scim.connection.token.rotated": event("Token of the SCIM connection replaced"),
  "org.api.added": event<{ identifier: string } & ApiPayload>("API added"),
  "org.api.changed": event<ApiPayload>("API changed"),
  "org.api.removed": event("API removed"),
  "app.oidc.added": event<{ name: string } & AppEventPayload>("Application added"),
  "app.oidc.changed": event<AppEventPayload>("Configuration of the application changed"),
  "app.oidc.secret.changed": event("Client secret replaced"),
  "app.deactivated": event("Application deactivated"),
  "app.reactivated": event("Application reactivated"),
  "app.removed": event("Application removed"),
  /** Without a name if the machine user was created on the command line. */
  "user.machine.added": event<{ userName: string; name?: string; description?: string | null }>("Machine user created"),
  "user.machine.changed": event<{ name: string; description: string | null }>(
    "Name and description of the machine user changed",
  ),
  /** The value in Base64. */
  "user.metadata.set": event<{ key: string; value: string }>("Metadata stored"),
  "user.metadata.removed": event<{ key: string }>("Metadata removed"),
  "user.app.roles.added": event<{ appId: string; roles: string[] }>("Roles in an application granted"),
  "user.app.roles.removed": event<{ appId: string; roles: string[] }>("Roles in an application removed"),
  "user.token.added": event<{ tokenId: string; lastFour: string; expiresAt: string | null }>("Token created"),
  "user.token.revoked": event<{ tokenId: string }>("Token revoked"),
  "user.username.changed": event<{ userName: string }>("User name changed"),
  "user.deactivated": event("User deactivated"),
  "user.reactivated": event("User reactivated"),
  "user.locked": event("User locked"),
  "user.unlocked": event("User unlocked"),
  "user.removed": event("User removed"),
  "user.human.added": event<HumanPayload>("User created"),
  /** The user has registered on the sign-in page of an application: `account` for the account page. */
  "user.human.registered": event<{ appId: string }>("User registered"),
  "user.human.profile.changed": event<ProfilePayload>("Profile changed"),
  "user.human.email.changed": event<{ email: string }>("Email address changed"),
  "user.human.email.verification.requested": event<{ codeId: string }>("Verification of the email address requested"),
  /** The user has entered a new address, which replaces the current one once it is verified. */
  "user.human.email.change.requested": event<{ codeId: string }>("Change of the email address requested"),
  "user.human.phone.removed": event("Phone number removed"),
  "user.human.idp.linked": event<IdpLinkPayload>("External user linked"),
  /** The link has another id of the same external user. */
  "user.human.idp.relinked": event<{ idpId: string; externalUserId: string; formerExternalUserId: string }>(
    "Link changed to another id of the external user",
  ),
  /** The provider has confirmed the identity of the user. */
  "user.human.idp.check.succeeded": event<{ idpId: string } & Origin>("Identity confirmed by a provider"),
  /** The provider has reported an address that finds another user, so it was not taken over. */
  "user.human.idp.email.refused": event<{ idpId: string; reason: "EMAIL_TAKEN" }>(
    "Address of a provider not taken over, because it is another user's",
  ),
  "user.human.idp.unlinked": event<{ idpId: string; externalUserId: string }>("Link to an identity provider removed"),
  "user.human.email.verified": event<{ email: string }>("Email address verified"),
  /** `isReturned`: the response of the call had the link, instead of an email. */
  "user.human.initialization.requested": event<{ codeId: string; isReturned?: true }>("Initialization requested"),
  /** Without a code if a call has completed the initialization. */
  "user.human.initialized": event<{ codeId: string | null }>("Initialization finished"),
  "user.human.password.changed": event("Password changed"),
  /** `failures`: the wrong passwords since the last correct one, at this address or on this device. */
  "user.human.password.check.succeeded": event<{ failures: number } & Origin>("Password entered correctly"),
  "user.human.password.check.failed": event<{ failures: number; knownDevice: boolean } & Origin>(
    "Wrong password entered",
  ),
  /** The hash of the same password was replaced by one with the configured scheme and costs. */
  "user.human.password.upgraded": event("Password hash renewed"),
  /** The password hook has confirmed the password of a user who had none. */
  "user.human.password.imported": event<{ changeRequired: boolean }>("Password of the earlier system stored"),
  "user.human.password.reset.requested": event<{ codeId: string }>("New password requested"),
  /** The password, or links, that others had placed were ended before a role was granted. */
  "user.human.credentials.ended": event("Password or links placed by others ended"),
  "user.human.phone.changed": event<{ phone: string }>("Phone number changed"),
  "user.human.phone.verified": event<{ phone: string }>("Phone number verified"),
  "user.human.phone.verification.requested": event<{ codeId: string }>("Verification of the phone number requested"),
  "user.human.passwordless.registration.requested": event<{ codeId: string }>("Registration of a passkey requested"),
  "user.human.passwordless.registered": event<{ passkeyId: string }>("Passkey registered"),
  "user.human.passwordless.renamed": event<{ passkeyId: string; name: string }>("Passkey renamed"),
  "user.human.passwordless.removed": event<{ passkeyId: string }>("Passkey removed"),
  /** The user has asked not to be prompted again to add a passkey. */
  "user.human.passwordless.declined": event("Adding a passkey declined"),
  "user.human.passwordless.check.succeeded": event<{ passkeyId: string } & Origin>("Passkey used"),
  /** The signature was valid, but the counter was not higher than the stored one: the passkey may have been copied. */
  "user.human.passwordless.check.failed": event<{ passkeyId: string; counter: number; storedCounter: number } & Origin>(
    "Passkey refused: there may be a copy of it",
  ),
  "user.human.otp.added": event("One-time codes set up"),
  "user.human.otp.removed": event("One-time codes removed"),
  /** `failures`: the wrong one-time codes since the last correct one, at this address or on this device. */
  "user.human.otp.check.succeeded": event<{ failures: number } & Origin>("One-time code entered correctly"),
  "user.human.otp.check.failed": event<{ failures: number; knownDevice: boolean } & Origin>(
    "Wrong one-time code entered",
  ),
  /** The codes replace the previous ones. */
  "user.human.recovery.codes.added": event("Recovery codes created"),
  "user.human.recovery.code.used": event<Origin>("Recovery code used"),
  /** `idpId` if the user signed in with an identity provider. */
  "user.human.signed.in": event<{ appId: string; methods: string[]; idpId?: string } & Origin>("User signed in"),
  "user.human.signed.out": event("User signed out"),
  /** The user has withdrawn the access of an application: its tokens are invalid. */
  "user.human.app.access.withdrawn": event<{ appId: string }>("Access of an application withdrawn"),
  /** A message to the user, which waited or had failed, was made due. */
  "user.human.message.retried": event<{ messageId: string }>("Message sent again"),
};

/** The text of an event. The payload is only in its type. */
type EventText<Payload> = string & { readonly payload: Payload };

function event<Payload = Record<string, never>>(text: string): EventText<Payload> {
  return text as EventText<Payload>;
}

type EventType = keyof typeof EVENTS;

/** The payloads of all events, by event type. */
export type EventPayloads = { [T in EventType]: (typeof EVENTS)[T]["payload"] };

/** The texts of all events, by event type. */
export const EVENT_TEXTS: Readonly<Record<EventType, string>> = EVENTS;

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
  /** The path of the attribute, if it is an own one. */
  readonly linkPath: string | null;
  readonly isTrial: boolean;
}

/** The settings of an API that can be changed. */
export interface ApiPayload {
  readonly name: string;
  readonly scopes: readonly string[];
  /** The applications that may introspect tokens for it. */
  readonly introspectorAppIds: readonly string[];
  /** Whether clients that nobody registers get tokens for it. */
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

/** The text of an event; its type if the event was recorded by another version of the service. */
export function toEventText(type: string): string {
  return Object.hasOwn(EVENT_TEXTS, type) ? EVENT_TEXTS[type as EventType] : type;
}

/** An event to be recorded. */
export type NewEvent = { [T in EventType]: { readonly type: T; readonly payload: EventPayloads[T] } }[EventType];
