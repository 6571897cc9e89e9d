import type { EventType } from "./catalogue.ts";

/** What each event means, in English, for people. docs/events.md has the same texts. */
export const EVENT_TEXTS: Readonly<Record<EventType, string>> = {
  "instance.added": "Instance created",
  "instance.member.added": "Role in the instance granted",
  "instance.idp.oidc.added": "Identity provider of the instance added",
  "org.added": "Organization created",
  "org.member.added": "Role in the organization granted",
  "instance.member.changed": "Roles in the instance changed",
  "org.member.changed": "Roles in the organization changed",
  "instance.member.removed": "Roles in the instance removed",
  "org.member.removed": "Roles in the organization removed",
  "org.idp.oidc.added": "Identity provider added",
  "instance.idp.changed": "Identity provider of the instance changed",
  "org.idp.changed": "Identity provider changed",
  "instance.idp.oidc.changed": "OpenID Connect configuration of the instance changed",
  "org.idp.oidc.changed": "OpenID Connect configuration changed",
  "instance.idp.deactivated": "Identity provider of the instance deactivated",
  "org.idp.deactivated": "Identity provider deactivated",
  "instance.idp.reactivated": "Identity provider of the instance reactivated",
  "org.idp.reactivated": "Identity provider reactivated",
  "instance.idp.removed": "Identity provider of the instance removed",
  "org.idp.removed": "Identity provider removed",
  "user.machine.added": "Machine user created",
  "user.token.added": "Token created",
  "user.token.revoked": "Token revoked",
  "user.deactivated": "User deactivated",
  "user.reactivated": "User reactivated",
  "user.locked": "User locked",
  "user.unlocked": "User unlocked",
  "user.removed": "User removed",
  "user.human.added": "User created",
  "user.human.profile.changed": "Profile changed",
  "user.human.email.changed": "Email address changed",
  "user.human.email.verification.requested": "Verification of the email address requested",
  "user.human.phone.removed": "Phone number removed",
  "user.human.idp.linked": "External user linked",
  "user.human.email.verified": "Email address verified",
  "user.human.initialization.requested": "Initialization requested",
  "user.human.initialized": "Initialization finished",
  "user.human.password.changed": "Password changed",
  "user.human.phone.changed": "Phone number changed",
  "user.human.phone.verified": "Phone number verified",
  "user.human.phone.verification.requested": "Verification of the phone number requested",
  "user.human.passwordless.registration.requested": "Registration of a passkey requested",
  "user.human.passwordless.registered": "Passkey registered",
};

/** The text of an event; its type, for one that another version of the service has recorded. */
export function toEventText(type: string): string {
  return Object.hasOwn(EVENT_TEXTS, type) ? EVENT_TEXTS[type as EventType] : type;
}
