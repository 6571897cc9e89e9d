import type { EventPayloads } from "../../src/events/catalogue.ts";

/**
 * The payload of each event, in Markdown with links from `docs/reference`. Events with the same payload share an entry. Enums are their
 * numbers from the proto, and absent values are null.
 */
export const EVENT_PAYLOADS: readonly (readonly [types: readonly (keyof EventPayloads)[], payload: string])[] = [
  [
    [
      "instance.added",
      "org.deactivated",
      "org.reactivated",
      "org.removed",
      "org.password.hook.removed",
      "org.api.removed",
    ],
    "`{}`",
  ],
  [["org.added", "org.changed"], "`name`"],
  [["org.domain.added", "org.domain.verified", "org.domain.primary.set", "org.domain.removed"], "`domain`"],
  [["org.domain.verification.added"], "`domain`, `type`: `dns` or `http`"],
  [["instance.member.added", "org.member.added"], "`userId`, `userOrgId`, `role`"],
  [["instance.member.changed", "org.member.changed"], "`userId`, `roles`: all roles after the change, sorted"],
  [["instance.member.removed", "org.member.removed"], "`userId` of a user who no longer has any role there"],
  [
    ["instance.login.policy.changed", "org.login.policy.added", "org.login.policy.changed"],
    "the [fields of the policy](login-policy.md#addcustomloginpolicy): `allowPasswordless` for `passwordlessType`, lifetimes in seconds (`passwordCheckSeconds`)",
  ],
  [["org.login.policy.removed"], "none"],
  [
    ["instance.idp.oidc.added", "org.idp.oidc.added"],
    "`name`, `stylingType`, `clientId`, `issuer`, `scopes`, `displayNameMapping`, `usernameMapping`, `autoRegister`",
  ],
  [["instance.idp.changed", "org.idp.changed"], "`name`, `stylingType`, `autoRegister`, `federatedLogoutEnabled`"],
  [
    ["instance.idp.oidc.changed", "org.idp.oidc.changed"],
    "`clientId`, `issuer`, `scopes`, `displayNameMapping`, `usernameMapping`, `clientSecretChanged`",
  ],
  [
    ["instance.idp.provider.added", "org.idp.provider.added"],
    "`kind`, such as `google`; `name`, `clientId`, `issuer` (of SAML, the entity id), `scopes`; `settings` of this kind, with `authorizationHost`, `tokenHost`, `userHost`, `redirectHost` and `postHost` for endpoints; `options`",
  ],
  [["instance.idp.provider.changed", "org.idp.provider.changed"], "the same, and `secretChanged`"],
  [["instance.idp.deactivated", "instance.idp.reactivated", "org.idp.deactivated", "org.idp.reactivated"], "`{}`"],
  [["instance.idp.removed", "org.idp.removed"], "`{}`. Links to the provider are removed too, without user events"],
  [
    ["instance.label.policy.changed", "org.label.policy.added", "org.label.policy.changed"],
    "`primaryColor`, `primaryColorDark`, `disableWatermark`, `name`, `supportAddress`, `termsUrl`, `privacyUrl`",
  ],
  [
    ["instance.label.policy.image.added", "org.label.policy.image.added"],
    "`image`: `logo`, `logoDark`, `icon` or `iconDark`; `hash`: SHA-256 of the stored file in base64url, for an SVG file with the extension `.svg`",
  ],
  [["instance.label.policy.image.removed", "org.label.policy.image.removed"], "`image`"],
  [
    [
      "instance.label.policy.activated",
      "org.label.policy.activated",
      "instance.label.policy.removed",
      "org.label.policy.removed",
    ],
    "`{}`",
  ],
  [["instance.message.text.changed", "org.message.text.changed"], "`message`, `language`, `subject`, `text`, `button`"],
  [["instance.message.text.removed", "org.message.text.removed"], "`message`, `language`"],
  [["instance.page.texts.changed", "org.page.texts.changed"], "`language`, `texts`: by key, empty for the original"],
  [["instance.page.texts.removed", "org.page.texts.removed"], "`language`"],
  [["org.webhook.added", "org.webhook.changed"], "`name`, `host`, `eventTypes`, `includesPayload`"],
  [["org.webhook.deactivated", "org.webhook.reactivated", "org.webhook.removed", "org.webhook.key.rotated"], "`{}`"],
  [["org.webhook.delivery.retried"], "`deliveryId`"],
  [["org.password.hook.set"], "`host`. The signing key was replaced too"],
  [
    ["org.scim.connection.added", "org.scim.connection.changed"],
    "`name`, `addressRule`, `linkAttribute`, `idpId`, `groupAppId`",
  ],
  [["org.scim.connection.removed", "org.scim.connection.token.rotated"], "`{}`"],
  [["org.api.added"], "`identifier`, and all fields of `org.api.changed`"],
  [["org.api.changed"], "`name`, `scopes`, `introspectorAppIds`, `allowsUnregisteredClients`"],
  [["app.oidc.added"], "`name`, and all fields of `app.oidc.changed`"],
  [
    ["app.oidc.changed"],
    "`type`, `authMethod`, `grantTypes`, `redirectHosts`, `postLogoutRedirectHosts`, `additionalOrigins`, `backChannelLogoutHost`, `accessTokenType`, `idTokenUserinfoAssertion`, `idTokenSignedResponseAlg`, `devMode`, `apiAccess`, `jwks` (public keys as JSON text), `jwksHost` (the host of their URL), `serviceUserId`, `roles`, `metadataClaims`, `requiresPkce`, `requiresPar`, `dpopBoundAccessTokens`",
  ],
  [["app.oidc.secret.changed", "app.deactivated", "app.reactivated", "app.removed"], "`{}`"],
  [["user.machine.added"], "`userName`; `name` and `description`, if it was added by AddMachineUser"],
  [["user.machine.changed"], "`name`, `description`"],
  [["user.token.added"], "`tokenId`, `lastFour`, `expiresAt` (RFC 3339, or null)"],
  [["user.token.revoked"], "`tokenId`"],
  [["user.metadata.set", "user.metadata.removed"], "`key`; `value` (Base64) if it was set"],
  [["user.app.roles.added", "user.app.roles.removed"], "`appId`, `roles`: those of the request"],
  [["user.deactivated", "user.reactivated", "user.locked", "user.unlocked", "user.removed"], "`{}`"],
  [["user.username.changed"], "`userName`"],
  [
    ["user.human.added"],
    "`userName`, `firstName`, `lastName`, `nickName`, `displayName`, `preferredLanguage`, `gender`, `email`, `phone`, `hasPassword`, `passwordChangeRequired`, `secondFactorRequired` if it is true, `subject` if applications see one instead of the id",
  ],
  [["user.human.registered"], "`appId`, of the console for the first administrator. The user has registered on a page"],
  [["user.human.initialization.requested"], "`codeId`; `isReturned` (true) if the response of the call had the link"],
  [["user.human.initialized"], "`codeId`; null if a call or a sign-in completed the initialization"],
  [["user.human.profile.changed"], "`firstName`, `lastName`, `nickName`, `displayName`, `preferredLanguage`, `gender`"],
  [["user.human.email.changed", "user.human.email.verified"], "`email`"],
  [
    ["user.human.email.change.requested"],
    "`codeId`: the user has entered a new address, which replaces the current one once it is verified",
  ],
  [
    [
      "user.human.email.verification.requested",
      "user.human.phone.verification.requested",
      "user.human.password.reset.requested",
      "user.human.passwordless.registration.requested",
    ],
    "`codeId`",
  ],
  [["user.human.phone.changed", "user.human.phone.verified"], "`phone` (E.164)"],
  [["user.human.password.changed", "user.human.phone.removed", "user.human.signed.out"], "`{}`"],
  [
    ["user.human.password.check.succeeded", "user.human.otp.check.succeeded"],
    "`failures`: wrong ones counted before; the origin",
  ],
  [
    ["user.human.password.check.failed", "user.human.otp.check.failed"],
    "`failures`, including this one; `knownDevice`; the origin. Only the 1st, 10th, 100th … failure is recorded, without an editor; [all are counted](../sign-in.md#failed-sign-ins)",
  ],
  [["user.human.password.upgraded"], "`{}`: the hash was replaced by one with the configured scheme"],
  [
    ["user.human.password.imported"],
    "`changeRequired`: the [password hook](../moving/password-hook.md) has confirmed the password of a user who had none",
  ],
  [
    ["user.human.credentials.ended"],
    "`{}`: the password or the open links that others had placed were ended, before a role was granted",
  ],
  [["user.human.idp.linked"], "`idpId`, `externalUserId`, `displayName`"],
  [
    ["user.human.idp.relinked"],
    "`idpId`, `externalUserId`, `formerExternalUserId`: the link now has the [claim](../providers/microsoft.md#what-it-sends) by which the provider links users",
  ],
  [["user.human.idp.unlinked"], "`idpId`, `externalUserId`"],
  [["user.human.idp.check.succeeded"], "`idpId`, and the origin: the provider has confirmed the user's identity"],
  [
    ["user.human.idp.email.refused"],
    "`idpId`, and `reason`: the [address that the provider reported](../sign-in.md#which-user-is-signed-in) finds another user, so the user kept the earlier one",
  ],
  [
    ["user.human.passwordless.registered", "user.human.passwordless.removed"],
    "`passkeyId` (id of the credential, base64url)",
  ],
  [["user.human.passwordless.renamed"], "`passkeyId`, `name`"],
  [["user.human.passwordless.declined"], "`{}`: the user does not want to be asked again to add a passkey"],
  [["user.human.passwordless.check.succeeded"], "`passkeyId`, and the origin"],
  [
    ["user.human.passwordless.check.failed"],
    "`passkeyId`, `counter`, `storedCounter`, and the origin: the signature was valid, but the counter was not higher than the stored one. Without an editor",
  ],
  [
    ["user.human.otp.added", "user.human.otp.removed", "user.human.recovery.codes.added"],
    "`{}`. The `otpCode` of an import adds no event",
  ],
  [["user.human.recovery.code.used"], "the origin"],
  [
    ["user.human.signed.in"],
    "`appId` (`account` for the account page), `methods` (RFC 8176), `idpId` after a sign-in with a provider, and the origin",
  ],
  [["user.human.message.retried"], "`messageId`: a message that waited or had failed is sent again"],
  [["user.human.app.access.withdrawn"], "`appId`"],
];
