import { createHash, pbkdf2Sync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { logto } from "../../../src/moving/sources/logto.ts";
import { REAL_HASHES } from "../../passwords/real-hashes.ts";
import { isPassword, lostOf, readUser } from "./read.ts";

const PASSWORD = "correct horse";

/** After a row of `users`. */
const USER = {
  tenant_id: "default",
  id: "ooc5u9xvhl1k",
  username: "ada",
  primary_email: "ada@example.com",
  primary_phone: "41791234567",
  password_encrypted: REAL_HASHES["argon2i (reference implementation)"],
  password_encryption_method: "Argon2i",
  name: "Ada Lovelace",
  avatar: "https://example.com/ada.png",
  profile: { familyName: "Lovelace", givenName: "Ada", locale: "en-US", zoneinfo: "Europe/London" },
  application_id: "admin-console",
  identities: { google: { userId: "1098", details: { id: "1098", email: "ada@gmail.example" } } },
  custom_data: { plan: "pro" },
  logto_config: {},
  mfa_verifications: [
    { id: "1", type: "Totp", key: "GEZDGNBVGY3TQOJQ", createdAt: "2024-01-15T10:30:00.000Z" },
    { id: "2", type: "WebAuthn", credentialId: "-_8B", publicKey: "pQE", counter: 3, agent: "x" },
    { id: "3", type: "BackupCode", codes: [{ code: "0123456789" }, { code: "abcdefghij", usedAt: "2024-01-15" }] },
  ],
  is_suspended: false,
  sso_identities: [{ issuer: "https://idp.example", identity_id: "42" }],
};

test("a row with the rows that belong to it", () => {
  const user = readUser(logto, USER);
  expect(user).toEqual({
    sourceId: "ooc5u9xvhl1k",
    userName: "ada",
    firstName: "Ada",
    lastName: "Lovelace",
    displayName: "Ada Lovelace",
    language: "en-US",
    email: "ada@example.com",
    emailVerified: true,
    phone: "+41791234567",
    phoneVerified: true,
    passwordHash: USER.password_encrypted,
    otp: "GEZDGNBVGY3TQOJQ",
    recoveryCodes: ["0123456789"],
    links: [
      { provider: "google", externalUserId: "1098", displayName: "ada@gmail.example" },
      { provider: "https://idp.example", externalUserId: "42" },
    ],
    metadata: { "custom_data.plan": "pro", "profile.zoneinfo": "Europe/London" },
    inactive: false,
    lost: ["passkeys", "picture"],
  });
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test("a user of the API has no hash", () => {
  const user = {
    id: "1",
    primaryEmail: "ada@example.com",
    hasPassword: true,
    isSuspended: true,
    customData: { a: "b" },
  };
  expect(readUser(logto, user)).toMatchObject({
    email: "ada@example.com",
    metadata: { "custom_data.a": "b" },
    inactive: true,
    lost: ["password: not in the export"],
  });
});

const hex = (name: string, text: string) => createHash(name).update(text).digest("hex");
const toRow = (password_encryption_method: string, hash: unknown) => ({
  ...{ id: "1", password_encryption_method },
  password_encrypted: typeof hash === "string" ? hash : JSON.stringify(hash),
});

test.each([
  ["Argon2id", REAL_HASHES["argon2id (reference implementation)"]],
  ["Bcrypt", hashSync(PASSWORD, 4)],
  ["Legacy", ["sha256", ["salt123", "@"], hex("sha256", `salt123${PASSWORD}`)]],
  ["Legacy", ["md5", ["@", "salt", "123"], hex("md5", `${PASSWORD}salt123`)]],
  ["Legacy", ["sha512", ["@", "salt"], hex("sha512", `${PASSWORD}salt`)]],
  [
    "Legacy",
    ["pbkdf2", ["salt", "1000", "20", "sha512", "@"], pbkdf2Sync(PASSWORD, "salt", 1000, 20, "sha512").toString("hex")],
  ],
])("a hash of %s: %j", (method, hash) => {
  const user = readUser(logto, toRow(method, hash));
  expect(user.lost).toBeUndefined();
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test.each([
  ["MD5", hex("md5", PASSWORD), "password: unsalted MD5"],
  ["SHA1", hex("sha1", PASSWORD), "password: unsalted SHA-1"],
  ["SHA256", hex("sha256", PASSWORD), "password: unsalted SHA-256"],
  ["Legacy", ["sha256", ["@"], "00"], "password: unsalted sha256"],
  ["Legacy", ["sha256", ["a", "@", "b"], "00"], "password: the order of the salt and the password is not supported"],
  ["Legacy", ["ripemd160", ["a", "@"], "00"], "password: the algorithm ripemd160 is not supported"],
  ["Legacy", ["sha256", "@"], "password: not a complete hash of Logto's Legacy"],
  ["Legacy", "x", "password: not a complete hash of Logto's Legacy"],
])("a hash of %s is lost: %j", (method, hash, reason) => {
  expect(lostOf(logto, toRow(method, hash))).toEqual([reason]);
});
