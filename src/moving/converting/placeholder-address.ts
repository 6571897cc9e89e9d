import { encodeText } from "../../fields/bytes.ts";
import { sha256 } from "../sha-256.ts";
import type { SourceUser } from "../source.ts";

/** As the preview says it. */
const PLACEHOLDER = "email address (missing: the user gets a placeholder, and no messages)";

/** Gives a user without an address a placeholder: the id in the source, in a domain that does not exist. */
export async function withPlaceholder(user: SourceUser, source: string): Promise<SourceUser> {
  if (user.email?.trim()) return user;
  const email = `${await toLocalPart(user.sourceId)}@${source}.invalid`;
  return { ...user, email, emailVerified: false, lost: [...(user.lost ?? []), PLACEHOLDER] };
}

/** An id that is not the local part of an address is encoded, and hashed if it is too long. */
async function toLocalPart(id: string): Promise<string> {
  const encoded = id.replace(/[^\w|+-]/g, (character) => `=${character.codePointAt(0)?.toString(16)}`);
  return encodeText(encoded).length <= LONGEST ? encoded : await sha256(id);
}

/** Octets (RFC 5321, section 4.5.3.1.1). SHA-256 has as many in hexadecimal. */
const LONGEST = 64;
