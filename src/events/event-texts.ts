import type { EventType } from "./catalogue.ts";

/** What each event means, in English, for people. docs/events.md has the same texts. */
export const EVENT_TEXTS: Readonly<Record<EventType, string>> = {
  "instance.added": "Instance created",
  "instance.member.added": "Role in the instance granted",
  "instance.idp.oidc.added": "Identity provider of the instance added",
  "org.added": "Organization created",
  "org.member.added": "Role in the organization granted",
  "org.idp.oidc.added": "Identity provider added",
  "app.oidc.added": "Application added",
  "app.oidc.changed": "Configuration of the application changed",
  "app.oidc.secret.changed": "Client secret replaced",
  "app.deactivated": "Application deactivated",
  "app.reactivated": "Application reactivated",
  "app.removed": "Application removed",
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
  "user.human.idp.unlinked": "Link to an identity provider removed",
  "user.human.email.verified": "Email address verified",
  "user.human.initialization.requested": "Initialization requested",
  "user.human.initialized": "Initialization finished",
  "user.human.password.changed": "Password changed",
  "user.human.password.check.succeeded": "Password entered correctly",
  "user.human.password.check.failed": "Wrong password entered",
  "user.human.password.upgraded": "Password hash renewed",
  "user.human.password.reset.requested": "New password requested",
  "user.human.phone.changed": "Phone number changed",
  "user.human.phone.verified": "Phone number verified",
  "user.human.phone.verification.requested": "Verification of the phone number requested",
  "user.human.passwordless.registration.requested": "Registration of a passkey requested",
  "user.human.passwordless.registered": "Passkey registered",
  "user.human.passwordless.removed": "Passkey removed",
  "user.human.signed.in": "The user signed in",
  "user.human.signed.out": "The user signed out",
};

/** The text of an event; its type, for one that another version of the service has recorded. */
export function toEventText(type: string): string {
  return Object.hasOwn(EVENT_TEXTS, type) ? EVENT_TEXTS[type as EventType] : type;
}
