import {
  describeAlgorithmProblem,
  describeHashProblem,
  parsePasswordHash,
} from "../../src/passwords/modular-crypt-format.ts";
import { REAL_HASHES } from "./real-hashes.ts";
import { VECTORS } from "./vectors.ts";

const REAL = Object.entries(REAL_HASHES);

test.each(REAL)("%s is accepted", (_name, hash) => {
  expect(describeHashProblem(hash)).toBeUndefined();
});

test.each(REAL)("%s is rejected with something before, after or within it", (_name, hash) => {
  for (const broken of [
    ` ${hash}`,
    `${hash}\n`,
    `${hash}$`,
    `${hash}===`,
    `${hash.slice(0, -3)}*${hash.slice(-2)}`,
    hash.slice(1),
  ]) {
    expect([broken, describeHashProblem(broken)]).toEqual([broken, expect.stringMatching(/^must /)]);
  }
});

// The other schemes do not define the length of the hash.
const FIXED = REAL.filter(([, hash]) => /^\$(?:2[aby]|[1567PH]|apr1)\$/.test(hash));

test.each(FIXED)("%s is rejected with one character fewer or more", (_name, hash) => {
  for (const broken of [hash.slice(0, -1), `${hash}.`]) {
    expect([broken, describeHashProblem(broken)]).toEqual([broken, expect.stringMatching(/^must be a complete /)]);
  }
});

test.each([
  ["$2b$", "bcrypt"],
  ["$argon2d$", "argon2"],
  ["$scrypt$", "scrypt"],
  ["$7$", "scrypt"],
  ["$pbkdf2-sha1$", "PBKDF2"],
  ["$5$", "SHA-crypt"],
  ["$apr1$", "MD5-crypt"],
  ["$P$", "phpass"],
  ["$wp$", "WordPress"],
  ["$S$", "Drupal"],
  ["$firescrypt$", "Firebase"],
  ["$fbscrypt$", "Firebase"],
  ["{SSHA512}", "LDAP"],
  ["{CRYPT}$6$", "SHA-crypt"],
  ["pbkdf2_sha256$", "PBKDF2"],
  ["{SMD5}", "LDAP"],
  ["$md5-crypt$", "MD5-crypt"],
  ["$sha256-crypt$", "SHA-crypt"],
  ["$sha512-crypt$", "SHA-crypt"],
  ["$md5$", "salted digest"],
  ["$sha1$", "salted digest"],
  ["$sha512$", "salted digest"],
  ["$hmac-sha224$", "HMAC"],
  ["$salted-md5$", "FusionAuth"],
  ["$salted-hmac-sha256$", "FusionAuth"],
  ["$better-auth$", "Better Auth"],
  ["{bcrypt}", "bcrypt"],
  ["{BLF-CRYPT}", "bcrypt"],
  ["bcrypt$", "bcrypt"],
  ["{ldap}", "LDAP"],
  ["{SSHA512.HEX}", "LDAP"],
  ["{MD5}{", "LDAP"],
  ["scrypt:", "scrypt"],
  ["{scrypt@SpringSecurity_v5_8}", "scrypt"],
  ["AQAAAA", "PBKDF2"],
])("a value that begins with %s is parsed as %s", (prefix, scheme) => {
  const [hash = ""] = [...REAL.map(([, value]) => value), ...VECTORS.map((vector) => vector.hash)].filter((value) =>
    value.startsWith(prefix),
  );
  expect(parsePasswordHash(hash)).toMatchObject({ ok: true, hash: { scheme } });
});

const SUPPORTED =
  "bcrypt ($2a$ $2b$ $2y$), argon2 ($argon2id$ $argon2i$ $argon2d$), scrypt ($scrypt$ $7$), " +
  "PBKDF2 ($pbkdf2$ $pbkdf2-sha1$ $pbkdf2-sha224$ $pbkdf2-sha256$ $pbkdf2-sha384$ $pbkdf2-sha512$ pbkdf2_sha1$ " +
  "pbkdf2_sha256$), SHA-crypt ($5$ $6$ $sha256-crypt$ $sha512-crypt$), MD5-crypt ($1$ $apr1$ $md5-crypt$), " +
  "phpass ($P$ $H$), WordPress ($wp$), Drupal ($S$), Firebase ($firescrypt$ $fbscrypt$), " +
  "LDAP ({SMD5} {SSHA} {SSHA256} {SSHA384} {SSHA512}), salted digest ($md5$ $sha1$ $sha256$ $sha512$), " +
  "HMAC ($hmac-md5$ $hmac-sha1$ $hmac-sha224$ $hmac-sha256$ $hmac-sha384$ $hmac-sha512$), " +
  "FusionAuth ($salted-md5$ $salted-sha256$ $salted-hmac-sha256$), Better Auth ($better-auth$), " +
  "bcrypt-sha256 ($bcrypt-sha256$ bcrypt_sha256$)";

test.each([
  ["$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7", "yescrypt ($y$)"],
  ["{noop}secret", "plain text ({noop})"],
  ["{FSHP1|16|16384}PtoqcGUetmVEy/uR8715TNqKa8+teMF9qZO1lA9lJNUm1EQBLPZ+qPRLeEPHqy6C", "{FSHP1|16|16384}"],
  ["sha1$salt$5f4dcc3b5aa765d61d8327deb882cf99", "sha1$"],
  ["$2x$10$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW", "$2x$"],
  ["$hmac-md4$MWQ5ZTI4Nzc2Zjg4YmE2MTQ5YjQ0OTMyOGE4NWU4YjA=$MTIzNDU=", "$hmac-md4$"],
  ["{MD5}CY9rzUYh03PK3k6DJie09g==", "{MD5}"],
  ["{CRYPT}rOhM6aVnEyMUU", "{CRYPT}"],
  ["{CRYPT}{SSHA}VBPuJHI7uixaa6LQGWx4s+5GKNFhYmNk", "{CRYPT}"],
  ["pbkdf2_sha512$1000$salt$VBPuJHI7uixaa6LQGWx4s+5GKNE=", "pbkdf2_sha512$"],
  ["$ARGON2ID$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAAAAAAAAAAAAAAAAAAAA", "$ARGON2ID$"],
  ["$constructor$x", "$constructor$"],
])("the problem of %s names its scheme and the supported ones", (hash, scheme) => {
  expect(describeHashProblem(hash)).toBe(`must use a supported scheme, not ${scheme}; supported schemes: ${SUPPORTED}`);
});

test.each([
  "$p5k2$2710$oX9ZZOcNgYoAsYL-8bqxKg==$AU2J",
  "$scram$6400$.Z/znnNOKWUsBaCU$md5=AU2J",
  "$scram$6400$.Z/znnNOKWUsBaCU$sha-256=x,sha-512=",
  "scrypt:1024:8:1$salt$zz",
  "scrypt:1000:8:1$salt$aa02e794246d58d60eee1cefa4c2f179",
  "scrypt$1024$salt$8$5",
  "pbkdf2:sha3:1$salt$aa02",
  "{PBKDF2_SHA256}AAAIAG",
  "{pbkdf2}fa1fd998",
  "{SSHA.HEX}xx",
  "{PKCS5S2}CIEw",
])("%s is rejected as an incomplete hash of its form", (hash) => {
  expect(describeHashProblem(hash)).toMatch(/^must be a complete hash: /);
});

test.each([
  "$p5k2$ffffffff$oX9ZZOcNgYoAsYL-8bqxKg==$AU2JLf2rNxWoZxWxRCluY0u6h6c=",
  "$p5k2$ffffffff$XXX$AU2JLf2rNxWoZxWxRCluY0u6h6cAAAAA",
  "$scram$999999999$.Z/znnNOKWUsBaCU$sha-1=cRseQyJpnuPGn3e6d6u6JdJWk.0",
  `pbkdf2:sha256:999999999$salt$${"ab".repeat(32)}`,
  `grub.pbkdf2.sha512.999999999.abab.${"AB".repeat(64)}`,
])("the problem of %s is the number of iterations", (hash) => {
  expect(describeHashProblem(hash)).toBe("must have PBKDF2 iterations from 1 to 10,000,000");
});

test.each([
  "$md5$CY9rzUYh03PK3k6DJie09g==",
  "$sha256$n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
  "$sha1$qUqP5cyxm6YcTAhz05Hph5gvu9M=",
])("%s is rejected because it has no salt", (hash) => {
  expect(describeHashProblem(hash.replaceAll("-", "+").replaceAll("_", "/"))).toMatch(/^must be salted: /);
});

test.each([
  ["nothing", ""],
  ["a bare digest", "5f4dcc3b5aa765d61d8327deb882cf99"],
  ["a password with a dollar sign", "secret$5f4dcc3b5aa765d61d8327deb882cf99"],
  ["a long first part", "$5f4dcc3b5aa765d61d832$x"],
  ["a first part with other characters", "$pass word$x"],
  ["one dollar sign", "$2b"],
  ["a lone surrogate", "\ud800"],
])("the problem of %s repeats no part of the value", (_what, value) => {
  expect(describeHashProblem(value)).toBe(`must be in Modular Crypt Format; supported schemes: ${SUPPORTED}`);
});

test("no problem contains a part of the salt or hash, wherever a value is invalid", () => {
  for (const hash of [...REAL.map(([, value]) => value), ...VECTORS.slice(-12).map((vector) => vector.hash)]) {
    for (let at = 0; at < hash.length; at++) {
      const description = describeHashProblem(`${hash.slice(0, at)}*${hash.slice(at + 1)}`) ?? "";
      for (const part of hash.split("$").slice(2)) {
        if (part.length > 8) expect(description).not.toContain(part.slice(0, 8));
        if (part.length > 8) expect(description).not.toContain(part.slice(-8));
      }
    }
  }
});

test("a value of 512 characters is parsed, one of 513 is rejected", () => {
  const hash = (length: number) => `$6$rounds=5000$${"s".repeat(length - 15)}`;
  expect(describeHashProblem(hash(512))).toMatch(/complete SHA-crypt hash/);
  expect(describeHashProblem(hash(513))).toBe("must be at most 512 characters long");
  expect(describeHashProblem("$".repeat(1_000_000))).toBe("must be at most 512 characters long");
});

test.each([
  ["argon2", "$argon2id$"],
  ["Argon2id", "$argon2id$"],
  ["PBKDF2", "$pbkdf2-sha256$"],
  ["pbkdf2_sha256", "$pbkdf2-sha256$"],
  ["sha-crypt", "$6$"],
  ["md5crypt", "$1$"],
  ["ssha512", "{ssha512}"],
  ["SHA crypt", "{CRYPT}$6$"],
  ["bcrypt", "{bcrypt}$2a$"],
  ["PBKDF2-SHA512", "{PBKDF2-SHA512}1$"],
  ["anything", "no hash"],
  ["anything", "$9$unknown"],
])("the algorithm %s fits %s", (algorithm, value) => {
  expect(describeAlgorithmProblem(algorithm, value)).toBeUndefined();
});

test.each([
  ["argon2i", "$argon2id$", "argon2 ($argon2id$)"],
  ["bcrypt", "$argon2id$", "argon2 ($argon2id$)"],
  ["", "$2b$", "bcrypt ($2b$)"],
  ["sha512", "{SSHA512}", "LDAP ({SSHA512})"],
])("the algorithm %j does not fit %s", (algorithm, value, scheme) => {
  expect(describeAlgorithmProblem(algorithm, value)).toBe(
    `must fit the value, which is a hash of ${scheme}, or be absent`,
  );
});
