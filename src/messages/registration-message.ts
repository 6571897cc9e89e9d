import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import { type RegistrationContent, sealContent } from "./message-content.ts";

/** How long the link to complete a registration is valid after its email was sent, and how late that is sent. */
export const REGISTRATION_SECONDS = 24 * 3_600;

/**
 * The emails to somebody who wants to register with an address: the link that verifies it, or the information that the
 * address has an account already. They go to an address, not to a user.
 */
export const REGISTRATION_KINDS = ["registration", "registration-taken"] as const;

export type RegistrationKind = (typeof REGISTRATION_KINDS)[number];

export function isRegistrationKind(notice: string | null): notice is RegistrationKind {
  return REGISTRATION_KINDS.some((kind) => kind === notice);
}

/** The columns of such an email that do not depend on whether the address has an account. */
interface RegistrationRow {
  readonly id: string;
  /** In Base64. */
  readonly content: string;
  readonly contentKey: string;
}

export function createRegistrationRow(keyring: Keyring, content: RegistrationContent): RegistrationRow {
  const id = createId();
  const sealed = sealContent(keyring, id, content);
  return { id, content: sealed.content, contentKey: sealed.content_key };
}
