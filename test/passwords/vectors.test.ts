import { type PasswordHash, parsePasswordHash, verifyPasswordHash } from "../../src/passwords/modular-crypt-format.ts";
import { VECTORS } from "./vectors.ts";

function parse(hash: string): PasswordHash {
  const parsed = parsePasswordHash(hash);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.hash;
}

const TITLED = VECTORS.map(({ madeBy, password, hash }) => [madeBy, password, hash] as const);

test.each(TITLED)("a hash created by %s verifies %j and no similar password", (_madeBy, password, hash) => {
  const parsed = parse(hash);
  expect(verifyPasswordHash(parsed, password)).toBe(true);
  // bcrypt ignores what follows 72 bytes, as the programs do.
  const isCut = parsed.scheme === "bcrypt" && Buffer.byteLength(password) >= 72;
  const others = [`X${password.slice(1)}`, ...(isCut ? [] : [`${password}x`])];
  for (const other of others) expect([other, verifyPasswordHash(parsed, other)]).toEqual([other, false]);
});

test("the table has every scheme, and empty, long, and non-ASCII passwords", () => {
  const schemes = new Map<string, Set<string>>();
  for (const { password, hash } of VECTORS) {
    const { scheme } = parse(hash);
    schemes.set(scheme, (schemes.get(scheme) ?? new Set()).add(password));
  }
  expect([...schemes.keys()].sort()).toEqual(
    [
      ...["Drupal", "Firebase", "LDAP", "MD5-crypt", "PBKDF2", "SHA-crypt", "WordPress"],
      ...["argon2", "bcrypt", "phpass", "scrypt"],
      ...["salted digest", "HMAC", "FusionAuth", "Better Auth", "bcrypt-sha256"],
    ].sort(),
  );
  for (const [scheme, passwords] of schemes) {
    // Firebase's published hashes have passwords of letters and digits.
    if (scheme === "Firebase") continue;
    const lengths = [...passwords].map((password) => Buffer.byteLength(password));
    expect([scheme, Math.min(...lengths), Math.max(...lengths)]).toEqual([scheme, 0, expect.any(Number)]);
    expect(Math.max(...lengths)).toBeGreaterThan(72);
    expect([...passwords].some((password) => /[^\0-\x7f]/.test(password))).toBe(true);
  }
});

test("a hash with one changed character matches no password", () => {
  for (const { password, hash } of VECTORS.filter(({ madeBy }) => !madeBy.startsWith("WordPress"))) {
    // The first character of the last part always counts; the last one may have unused bits.
    const before = hash.startsWith("{S") ? "}" : hash.startsWith("$scram$") ? "=" : "$";
    const at = hash.lastIndexOf(before) + (/^\$(?:2|wp)|\$2b\$/.test(hash) ? 30 : 5);
    const broken = `${hash.slice(0, at)}${hash[at] === "a" ? "b" : "a"}${hash.slice(at + 1)}`;
    const parsed = parsePasswordHash(broken);
    if (parsed.ok) expect([broken, verifyPasswordHash(parsed.hash, password)]).toEqual([broken, false]);
  }
});
