import type { Converted, Source, SourceOptions, SourceUser } from "../../../src/moving/source.ts";
import { parsePasswordHash, verifyPasswordHash } from "../../../src/passwords/modular-crypt-format.ts";

/** @throws Error if the record is not a user. */
export function readUser(source: Source, record: object, options: Partial<SourceOptions> = {}): SourceUser {
  const converted = convert(source, record, options);
  if (converted.kind !== "user") throw new Error(JSON.stringify(converted));
  return converted.user;
}

export function convert(source: Source, record: object, options: Partial<SourceOptions> = {}): Converted {
  return source.convert({ ...record }, { map: {}, ...options });
}

/** The names of what does not come across. */
export function lostOf(source: Source, record: object, options: Partial<SourceOptions> = {}): readonly string[] {
  return readUser(source, record, options).lost ?? [];
}

/** Whether Signet accepts a hash, and the password matches it. */
export function isPassword(password: string, hash: string | undefined): boolean {
  const parsed = parsePasswordHash(hash ?? "");
  if (!parsed.ok) throw new Error(parsed.problem);
  return verifyPasswordHash(parsed.hash, password) && !verifyPasswordHash(parsed.hash, `${password}x`);
}
