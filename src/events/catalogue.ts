/**
 * Every event that Signet records: its type, a name in the past tense, and its payload. `docs/events.md` says what each
 * means.
 *
 * A payload may hold personal data, and never a secret: no hash, code, client secret or token. Enums are their
 * numbers in the proto.
 */
export interface EventPayloads {
  "instance.added": Record<string, never>;
  "org.added": { name: string };
  "instance.member.added": MemberPayload;
  "org.member.added": MemberPayload;
  "instance.idp.oidc.added": OidcIdpPayload;
  "org.idp.oidc.added": OidcIdpPayload;
  "user.machine.added": { userName: string };
  "user.token.added": { tokenId: string; lastFour: string; expiresAt: string | null };
  "user.token.revoked": { tokenId: string };
  "user.human.added": HumanPayload;
  "user.human.idp.linked": { idpId: string; externalUserId: string; displayName: string };
  "user.human.email.verified": { email: string };
  "user.human.initialization.requested": { codeId: string };
  "user.human.initialized": { codeId: string };
  "user.human.password.changed": Record<string, never>;
  "user.human.phone.changed": { phone: string };
  "user.human.phone.verified": { phone: string };
  "user.human.phone.verification.requested": { codeId: string };
  "user.human.passwordless.registration.requested": { codeId: string };
  "user.human.passwordless.registered": { passkeyId: string };
}

interface MemberPayload {
  userId: string;
  userOrgId: string;
  role: string;
}

interface OidcIdpPayload {
  name: string;
  stylingType: number;
  clientId: string;
  issuer: string;
  scopes: string[];
  displayNameMapping: number;
  usernameMapping: number;
  autoRegister: boolean;
}

interface HumanPayload {
  userName: string;
  firstName: string;
  lastName: string;
  nickName: string | null;
  displayName: string;
  preferredLanguage: string | null;
  gender: number;
  email: string;
  phone: string | null;
  /** Whether a password or a hash of one was set. */
  hasPassword: boolean;
  passwordChangeRequired: boolean;
}

export type EventType = keyof EventPayloads;

/** An event that is about to be recorded. */
export type NewEvent = { [T in EventType]: { readonly type: T; readonly payload: EventPayloads[T] } }[EventType];
