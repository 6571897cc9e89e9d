import { EMPTY_APP_CONFIG } from "../database/app-config.ts";
import { mapProfile, type ProfilePayload } from "../database/profile.ts";
import { toAppEventPayload } from "../events/app-event-payload.ts";
import type {
  EventPayloads,
  HumanPayload,
  IdpPayload,
  LabelPolicyPayload,
  OidcConfigPayload,
  ProviderPayload,
  ScimConnectionPayload,
  WebhookPayload,
} from "../events/catalogue.ts";
import { DEFAULT_LOGIN_POLICY as POLICY } from "../policies/login-policy.ts";

type OrgEventType = Exclude<keyof EventPayloads, `instance.${string}`>;
/** The types whose payloads are not empty. */
type FilledType = { [T in OrgEventType]: EventPayloads[T] extends Record<string, never> ? never : T }[OrgEventType];

const ID = "01a20107-fb8c-76b5-bbfd-8eb0bfbca703";
const ORIGIN = { network: "192.0.2.0/24", browser: "Firefox", system: "Linux" };
const CODE = { codeId: ID };
const PASSKEY = { passkeyId: ID };

const PROFILE: ProfilePayload = {
  ...mapProfile<ProfilePayload>((_, { rule, isOptional }) => (isOptional ? null : rule === "number" ? 0 : "Ada")),
  ...{ lastName: "Lovelace", displayName: "Ada Lovelace", preferredLanguage: "en" },
};
const HUMAN: HumanPayload = {
  ...{ ...PROFILE, userName: "ada", email: "ada@example.com", phone: "+41446681800" },
  ...{ hasPassword: true, passwordChangeRequired: false },
};
const IDP: IdpPayload = { name: "Example", stylingType: 0, autoRegister: false, federatedLogoutEnabled: false };
const OIDC: OidcConfigPayload = {
  ...{ clientId: "signet", issuer: "https://id.example.com", scopes: ["openid", "email"] },
  ...{ displayNameMapping: 0, usernameMapping: 0 },
};
const PROVIDER: ProviderPayload = {
  ...{ kind: "google", name: "Google", clientId: "signet", issuer: "", scopes: ["openid", "email"], settings: {} },
  options: {
    ...{ isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: false, isAutoUpdate: false },
    autoLinking: 0,
  },
};
const LINK = { idpId: ID, externalUserId: "1234567890" };
const BRANDING: LabelPolicyPayload = {
  ...{ primaryColor: "#3d4fd1", primaryColorDark: "", disableWatermark: false, name: "Example" },
  ...{ supportAddress: "", termsUrl: "", privacyUrl: "" },
};
const IMAGE = { image: "logo" };
const LANGUAGE = { language: "en" };
const WEBHOOK: WebhookPayload = { name: "CRM", host: "crm.example.com", eventTypes: [], includesPayload: true };
const SCIM: ScimConnectionPayload = {
  ...{ name: "Entra ID", addressRule: 1, linkAttribute: 1 },
  ...{ idpId: null, groupAppId: null, linkPath: null, isTrial: false },
};
const API = { name: "Orders", scopes: ["orders:read"], introspectorAppIds: [], allowsUnregisteredClients: false };
const APP = toAppEventPayload({
  ...{ ...EMPTY_APP_CONFIG, grantTypes: ["authorization_code"], requiresPkce: true },
  redirectUris: ["https://app.example.com/signed-in"],
});
const ROLES = { appId: ID, roles: ["editor"] };

/** An example of each payload that is not empty, for tests of webhooks. */
export const SAMPLE_PAYLOADS: { readonly [T in FilledType]: EventPayloads[T] } = {
  "org.added": { name: "Example" },
  "org.changed": { name: "Example" },
  "org.domain.added": { domain: "example.com" },
  "org.domain.verification.added": { domain: "example.com", type: "dns" },
  "org.domain.verified": { domain: "example.com" },
  "org.domain.primary.set": { domain: "example.com" },
  "org.domain.removed": { domain: "example.com" },
  "org.member.added": { userId: ID, userOrgId: ID, role: "ORG_OWNER" },
  "org.member.changed": { userId: ID, roles: ["ORG_OWNER"] },
  "org.member.removed": { userId: ID },
  "org.idp.oidc.added": { ...IDP, ...OIDC },
  "org.idp.changed": IDP,
  "org.idp.oidc.changed": { ...OIDC, clientSecretChanged: false },
  "org.idp.provider.added": PROVIDER,
  "org.idp.provider.changed": { ...PROVIDER, secretChanged: false },
  "org.label.policy.added": BRANDING,
  "org.label.policy.changed": BRANDING,
  "org.label.policy.image.added": { ...IMAGE, hash: "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU" },
  "org.label.policy.image.removed": IMAGE,
  "org.message.text.changed": {
    ...{ ...LANGUAGE, message: "initialization", subject: "Welcome", text: "Welcome, {{firstName}}", button: "Begin" },
  },
  "org.message.text.removed": { ...LANGUAGE, message: "initialization" },
  "org.page.texts.changed": { ...LANGUAGE, texts: { "signIn.title": "Welcome" } },
  "org.page.texts.removed": LANGUAGE,
  "org.login.policy.added": POLICY,
  "org.login.policy.changed": POLICY,
  "org.webhook.added": WEBHOOK,
  "org.webhook.changed": WEBHOOK,
  "org.webhook.delivery.retried": { deliveryId: ID },
  "org.password.hook.set": { host: "legacy.example.com" },
  "org.scim.connection.added": SCIM,
  "org.scim.connection.changed": SCIM,
  "org.api.added": { identifier: "https://orders.example.com", ...API },
  "org.api.changed": API,
  "app.oidc.added": { name: "Shop", ...APP },
  "app.oidc.changed": APP,
  "user.machine.added": { userName: "robot", name: "Robot", description: null },
  "user.machine.changed": { name: "Robot", description: null },
  "user.metadata.set": { key: "plan", value: "cHJv" },
  "user.metadata.removed": { key: "plan" },
  "user.app.roles.added": ROLES,
  "user.app.roles.removed": ROLES,
  "user.token.added": { tokenId: ID, lastFour: "a1b2", expiresAt: null },
  "user.token.revoked": { tokenId: ID },
  "user.human.added": HUMAN,
  "user.human.registered": { appId: ID },
  "user.username.changed": { userName: "ada" },
  "user.human.profile.changed": PROFILE,
  "user.human.email.changed": { email: "ada@example.com" },
  "user.human.email.verification.requested": CODE,
  "user.human.email.change.requested": CODE,
  "user.human.idp.linked": { ...LINK, displayName: "Ada" },
  "user.human.idp.relinked": { ...LINK, formerExternalUserId: "0987654321" },
  "user.human.idp.check.succeeded": { idpId: ID, ...ORIGIN },
  "user.human.idp.email.refused": { idpId: ID, reason: "EMAIL_TAKEN" },
  "user.human.idp.unlinked": LINK,
  "user.human.email.verified": { email: "ada@example.com" },
  "user.human.initialization.requested": CODE,
  "user.human.initialized": CODE,
  "user.human.password.check.succeeded": { failures: 0, ...ORIGIN },
  "user.human.password.check.failed": { failures: 1, knownDevice: false, ...ORIGIN },
  "user.human.password.imported": { changeRequired: false },
  "user.human.password.reset.requested": CODE,
  "user.human.phone.changed": { phone: "+41446681800" },
  "user.human.phone.verified": { phone: "+41446681800" },
  "user.human.phone.verification.requested": CODE,
  "user.human.passwordless.registration.requested": CODE,
  "user.human.passwordless.registered": PASSKEY,
  "user.human.passwordless.renamed": { ...PASSKEY, name: "Phone" },
  "user.human.passwordless.removed": PASSKEY,
  "user.human.passwordless.check.succeeded": { ...PASSKEY, ...ORIGIN },
  "user.human.passwordless.check.failed": { ...PASSKEY, counter: 1, storedCounter: 2, ...ORIGIN },
  "user.human.otp.check.succeeded": { failures: 0, ...ORIGIN },
  "user.human.otp.check.failed": { failures: 1, knownDevice: false, ...ORIGIN },
  "user.human.recovery.code.used": ORIGIN,
  "user.human.signed.in": { appId: ID, methods: ["password"], ...ORIGIN },
  "user.human.app.access.withdrawn": { appId: ID },
  "user.human.message.retried": { messageId: ID },
};
