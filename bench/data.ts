import { createHash } from "node:crypto";

/** A bcrypt hash as exported by another system. */
const HASH = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";

/** Returns the id of a user that the benchmark inserted, by its number. */
export function toUserId(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

/** Returns a valid phone number, unique for ten million numbers. */
export function toPhoneNumber(number: number): string {
  return `+4179${String(number % 10_000_000).padStart(7, "0")}`;
}

/** Returns an ImportHumanUserRequest in JSON. */
export function toImportRequest(number: number, password?: string): Record<string, unknown> {
  return {
    userName: `user-${number}`,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: `user-${number}@example.com`, isEmailVerified: true },
    ...(password === undefined ? { hashedPassword: { value: HASH } } : { password }),
  };
}

/**
 * The forms of an import: what each changes in the plain request. Every user has another phone number, provider's id and
 * subject.
 */
const PARTS = {
  plain: () => ({}),
  message: (number) => ({ email: { email: `user-${number}@example.com` } }),
  phone: (number) => ({ phone: { phone: toPhoneNumber(number) } }),
  link: (number, configId) => ({ idps: [{ configId, externalUserId: `external-${number}` }] }),
  metadata: (number) => ({ metadata: [{ key: "external_id", value: toBase64(`source-${number}`) }] }),
  subject: (number) => ({ subject: `source-${number}` }),
  "passkey link": () => ({ requestPasswordlessRegistration: true }),
  password: () => ({ hashedPassword: {}, password: "analytical engine no. 1" }),
} satisfies Record<string, (number: number, idpId: string) => object>;

export const IMPORT_FORMS = {
  ...PARTS,
  everything: (number: number, configId: string) => ({
    ...PARTS.message(number),
    ...PARTS.phone(number),
    ...PARTS.link(number, configId),
    ...PARTS.metadata(number),
    ...PARTS.subject(number),
    ...PARTS["passkey link"](),
  }),
};

export type ImportForm = keyof typeof IMPORT_FORMS;

let serial = 1_000_000;

/** Returns the first of this many numbers, which no other calls of this process use. */
export function takeSerial(count: number): number {
  serial += count;
  return serial - count;
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

/** Returns what `signet users import` adds to the request: the id in the source. */
export function toMovedFields(number: number): Record<string, unknown> {
  const id = `source-${number}`;
  return { metadata: [{ key: "external_id", value: toBase64(id) }], subject: id };
}

/** Returns a key for repetitions as `signet users import` makes it. */
export function toKey(number: number): string {
  return createHash("sha256").update(`bench ${number}`).digest("hex");
}
