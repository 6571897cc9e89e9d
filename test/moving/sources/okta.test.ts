import { createHash, pbkdf2Sync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { okta } from "../../../src/moving/sources/okta.ts";
import { isPassword, lostOf, readUser } from "./read.ts";

const PASSWORD = "correct horse";

/** After the response of `GET /api/v1/users`. */
const USER = {
  id: "00ub0oNGTSWTBKOLGLNR",
  status: "ACTIVE",
  created: "2013-06-24T16:39:18.000Z",
  activated: "2013-06-24T16:39:19.000Z",
  statusChanged: "2013-06-24T16:39:19.000Z",
  lastLogin: null,
  type: { id: "otyfnjfba4ye7pgjB0g4" },
  profile: {
    login: "ada@example.com",
    firstName: "Ada",
    lastName: "Lovelace",
    nickName: "AAL",
    displayName: "Ada Lovelace",
    email: "ada@example.com",
    secondEmail: "ada@home.example",
    preferredLanguage: "en-US",
    mobilePhone: "+1-555-415-1337",
    department: "Engines",
    employeeNumber: "187",
  },
  credentials: {
    password: {},
    emails: [
      { value: "ada@example.com", status: "VERIFIED", type: "PRIMARY" },
      { value: "ada@home.example", status: "VERIFIED", type: "SECONDARY" },
    ],
    recovery_question: { question: "Who invented the computer?" },
    provider: { type: "OKTA", name: "OKTA" },
  },
  _links: { self: { href: "https://example.okta.com/api/v1/users/00ub0oNGTSWTBKOLGLNR" } },
};

test("a user of the API", () => {
  expect(readUser(okta, USER)).toEqual({
    sourceId: "00ub0oNGTSWTBKOLGLNR",
    userName: "ada@example.com",
    firstName: "Ada",
    lastName: "Lovelace",
    nickName: "AAL",
    displayName: "Ada Lovelace",
    language: "en-US",
    email: "ada@example.com",
    emailVerified: true,
    phone: "+1-555-415-1337",
    metadata: { "profile.department": "Engines", "profile.employeeNumber": "187" },
    lost: ["second email address", "security question", "password: Okta gives no hashes"],
  });
});

test("only the status of the primary address counts, and other providers have their own passwords", () => {
  const emails = [{ value: "ada@home.example", status: "VERIFIED", type: "SECONDARY" }];
  const credentials = { emails, provider: { type: "ACTIVE_DIRECTORY", name: "example.com" } };
  const user = { ...USER, profile: { login: "ada", email: "ada@example.com" }, credentials };
  expect(readUser(okta, user)).toMatchObject({
    emailVerified: false,
    lost: ["password: Active Directory verifies it"],
  });
  const social = { ...user, credentials: { provider: { type: "SOCIAL", name: "SOCIAL" } } };
  expect(readUser(okta, social).lost).toBeUndefined();
});

const salt = Buffer.from("MySalt");
const base64 = (bytes: Buffer) => bytes.toString("base64");
const digest = (name: string, ...parts: readonly (string | Buffer)[]) =>
  base64(
    createHash(name)
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest(),
  );
const bcrypt = hashSync(PASSWORD, 4);
const toRecord = (hash: object) => ({ profile: { login: "ada" }, credentials: { password: { hash } } });

test.each([
  { algorithm: "BCRYPT", workFactor: 4, salt: bcrypt.slice(7, 29), value: bcrypt.slice(29) },
  { algorithm: "SHA-512", salt: base64(salt), saltOrder: "PREFIX", value: digest("sha512", salt, PASSWORD) },
  { algorithm: "SHA-256", salt: base64(salt), saltOrder: "POSTFIX", value: digest("sha256", PASSWORD, salt) },
  { algorithm: "SHA-1", salt: base64(salt), saltOrder: "PREFIX", value: digest("sha1", salt, PASSWORD) },
  { algorithm: "MD5", salt: base64(salt), saltOrder: "POSTFIX", value: digest("md5", PASSWORD, salt) },
  {
    ...{ algorithm: "PBKDF2", digestAlgorithm: "SHA512_HMAC", iterationCount: 4096, keySize: 64, salt: base64(salt) },
    value: base64(pbkdf2Sync(PASSWORD, salt, 4096, 64, "sha512")),
  },
  {
    ...{ algorithm: "PBKDF2", digestAlgorithm: "SHA256_HMAC", iterationCount: 4096, keySize: 32, salt: base64(salt) },
    value: base64(pbkdf2Sync(PASSWORD, salt, 4096, 32, "sha256")),
  },
])("a hash in Okta's form: %j", (hash) => {
  const user = readUser(okta, toRecord(hash));
  expect(user).toMatchObject({ sourceId: "ada" });
  expect(user.lost).toBeUndefined();
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test.each([
  [{ algorithm: "SHA-256", value: "AAAA" }, "password: unsalted SHA-256"],
  [{ algorithm: "SHA-1", salt: "AAAA", value: "AAAA" }, "password: without the order of the salt"],
  [{ algorithm: "SHA-512", salt: "!", value: "AAAA" }, "password: not a complete hash of SHA-512"],
  [{ algorithm: "PBKDF2", salt: "AAAA", value: "AAAA" }, "password: not a complete hash of PBKDF2"],
  [{ algorithm: "SCRYPT", value: "AAAA" }, "password: the algorithm SCRYPT is not supported"],
])("the hash %j is lost", (hash, reason) => {
  expect(lostOf(okta, toRecord(hash))).toEqual([reason]);
});
