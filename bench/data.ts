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

/** Returns what `signet users import` adds to the request: the id in the source. */
export function toMovedFields(number: number): Record<string, unknown> {
  const id = `source-${number}`;
  return { metadata: [{ key: "external_id", value: Buffer.from(id).toString("base64") }], subject: id };
}

/** Returns a key for repetitions as `signet users import` makes it. */
export function toKey(number: number): string {
  return createHash("sha256").update(`bench ${number}`).digest("hex");
}
