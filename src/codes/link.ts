import { isId } from "../crypto/secrets.ts";
import type { CodeKind } from "./kinds.ts";

/** The part of a code that its holder has. */
interface CodeSecret {
  readonly id: string;
  readonly secret: string;
}

const PAGES = {
  initialization: "init",
  email: "email",
  "email-change": "new-email",
  phone: "phone",
  passkey: "passkey",
  password: "password",
} as const satisfies Record<CodeKind, string>;

/** Returns the URL of the page on which a code is used. */
export function toLink(publicUrl: string, kind: CodeKind, { id, secret }: CodeSecret): string {
  return `${publicUrl}/ui/${PAGES[kind]}?code=${id}.${secret}`;
}

/** Parses the parameter `code` of a link: `<id>.<secret>`. Returns undefined for any other text. */
export function parseCode(text: string): CodeSecret | undefined {
  const [id = "", secret = "", ...rest] = text.split(".");
  return rest.length === 0 && isId(id) && /^[\w-]{22}$/.test(secret) ? { id, secret } : undefined;
}
