import { createHash, createHmac, pbkdf2Sync, scryptSync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { auth0 } from "../../../src/moving/sources/auth0.ts";
import { convert, isPassword, lostOf, readUser } from "./read.ts";

const PASSWORD = "correct horse";
const BCRYPT = hashSync(PASSWORD, 4);

/** After the user export of Auth0's documentation. */
const USER = {
  user_id: "auth0|60425dc43519d90068f82973",
  email: "katherine@example.com",
  email_verified: true,
  username: "katherine",
  given_name: "Katherine",
  family_name: "Johnson",
  name: "Katherine Johnson",
  nickname: "kath",
  picture: "https://s.gravatar.com/avatar/1",
  identities: [
    {
      user_id: "60425dc43519d90068f82973",
      provider: "auth0",
      connection: "Username-Password-Authentication",
      isSocial: false,
    },
    {
      user_id: "109876543210",
      provider: "google-oauth2",
      connection: "google-oauth2",
      isSocial: true,
      profileData: { email: "k@example.com" },
    },
    { user_id: "staff-adfs|S-1-5-21", provider: "adfs", connection: "staff-adfs", isSocial: false },
  ],
  user_metadata: { theme: "dark", locale: "de" },
  app_metadata: { roles: ["admin"] },
  created_at: "2025-02-09T16:34:22.611Z",
  blocked: true,
};

test("a user of the JSON export", () => {
  expect(readUser(auth0, USER)).toEqual({
    sourceId: "auth0|60425dc43519d90068f82973",
    userName: "katherine",
    firstName: "Katherine",
    lastName: "Johnson",
    displayName: "Katherine Johnson",
    nickName: "kath",
    email: "katherine@example.com",
    emailVerified: true,
    links: [
      { provider: "google-oauth2", externalUserId: "109876543210", displayName: "k@example.com" },
      { provider: "staff-adfs", externalUserId: "S-1-5-21" },
    ],
    metadata: { "user_metadata.theme": "dark", "user_metadata.locale": "de", "app_metadata.roles": '["admin"]' },
    inactive: true,
    lost: ["picture"],
  });
});

test("values of a CSV have apostrophes before what a spreadsheet takes for a formula, and identities in columns", () => {
  const row = {
    user_id: "google-oauth2|1",
    email: "a@example.com",
    email_verified: "true",
    phone_number: "'+15551234567",
    name: "'=Ada",
    nickname: "'Quoted'",
    "identities[0].provider": "google-oauth2",
    "identities[0].connection": "google-oauth2",
    "identities[0].user_id": "1",
    "user_metadata.plan": "'-pro",
  };
  expect(readUser(auth0, row)).toMatchObject({
    emailVerified: true,
    phone: "+15551234567",
    displayName: "=Ada",
    nickName: "'Quoted'",
    links: [{ provider: "google-oauth2", externalUserId: "1" }],
    metadata: { "user_metadata.plan": "-pro" },
  });
});

test("the columns of the export extension have names with spaces", () => {
  const row = {
    Id: "auth0|1",
    "Given Name": "Ada",
    "Family Name": "Lovelace",
    Email: "a@example.com",
    "Email Verified": "false",
  };
  expect(readUser(auth0, row)).toEqual({
    sourceId: "auth0|1",
    firstName: "Ada",
    lastName: "Lovelace",
    email: "a@example.com",
    emailVerified: false,
  });
});

test("a name that Auth0 has made of the address is none", () => {
  const user = { user_id: "auth0|1", email: "ada@example.com", name: "ada@example.com", nickname: "ada" };
  expect(readUser(auth0, user)).toEqual({ sourceId: "auth0|1", email: "ada@example.com" });
});

test.each([
  [{ _id: { $oid: "60425dc43519d90068f82973" } }, "auth0|60425dc43519d90068f82973"],
  [{ _ID: { $oid: "60425dc43519d90068f82973" } }, "auth0|60425dc43519d90068f82973"],
  [{ _id: "60425dc43519d90068f82973" }, "auth0|60425dc43519d90068f82973"],
  [{ _id: { $oid: "60425dc43519d90068f82973" }, alt_id: "own-id" }, "auth0|own-id"],
])("the file of password hashes belongs to users by id: %j", (id, expected) => {
  const record = { ...id, email: "a@example.com", email_verified: true, passwordHash: BCRYPT, connection: "Users" };
  expect(auth0.secondFile?.(record)).toEqual({ id: expected, values: { passwordHash: BCRYPT } });
  const user = readUser(auth0, { user_id: expected, ...auth0.secondFile?.(record)?.values });
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test("a record of the user export does not belong to another file", () => {
  expect(auth0.secondFile?.(USER)).toBeUndefined();
  expect(auth0.secondFile?.({ email: "a@example.com" })).toBeUndefined();
});

const salt = Buffer.from("some salt");
const digest = (name: string, ...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash(name)).digest();
const base64 = (bytes: Buffer) => bytes.toString("base64");
const unpadded = (bytes: Buffer) => base64(bytes).replaceAll("=", "");

test.each([
  ["bcrypt", { algorithm: "bcrypt", hash: { value: BCRYPT, encoding: "utf8" } }],
  [
    "argon2",
    {
      algorithm: "argon2",
      hash: {
        value: "$argon2id$v=19$m=1024,t=2,p=2$c29tZXNhbHQwMTIzNDU2/w$maZdmwIUgTYBnCEBqUxKzqa6SC3styEgxWH95xFV4wE",
        encoding: "utf8",
      },
    },
  ],
  [
    "pbkdf2",
    {
      algorithm: "pbkdf2",
      hash: {
        value: `$pbkdf2-sha512$i=1000,l=64$${unpadded(salt)}$${unpadded(pbkdf2Sync(PASSWORD, salt, 1_000, 64, "sha512"))}`,
        encoding: "utf8",
      },
    },
  ],
  [
    "ldap",
    {
      algorithm: "ldap",
      hash: { value: `{SSHA}${base64(Buffer.concat([digest("sha1", PASSWORD, salt), salt]))}`, encoding: "utf8" },
    },
  ],
  [
    "scrypt with its parameters",
    {
      algorithm: "scrypt",
      hash: { value: scryptSync(PASSWORD, salt, 64, { N: 2_048, r: 4, p: 2 }).toString("hex"), encoding: "hex" },
      salt: { value: base64(salt), encoding: "base64" },
      keylen: 64,
      cost: 2_048,
      blockSize: 4,
      parallelization: 2,
    },
  ],
  [
    "scrypt with the defaults",
    {
      algorithm: "scrypt",
      hash: { value: base64(scryptSync(PASSWORD, salt, 32)), encoding: "base64" },
      salt: { value: "some salt", encoding: "utf8" },
    },
  ],
  ...(["md5", "sha1", "sha256", "sha512"] as const).flatMap((algorithm) =>
    (["suffix", "prefix"] as const).map(
      (position) =>
        [
          `${algorithm} with the salt as ${position}`,
          {
            algorithm,
            hash: {
              value: (position === "suffix"
                ? digest(algorithm, PASSWORD, salt)
                : digest(algorithm, salt, PASSWORD)
              ).toString("hex"),
              encoding: "hex",
            },
            salt: { value: salt.toString("hex"), encoding: "hex", position },
          },
        ] as const,
    ),
  ),
  [
    "HMAC",
    {
      algorithm: "hmac",
      hash: {
        value: createHmac("sha256", "key").update(PASSWORD).digest("base64"),
        encoding: "base64",
        digest: "sha256",
        key: { value: "key", encoding: "utf8" },
      },
    },
  ],
])("custom_password_hash: %s", (_name, custom) => {
  const user = readUser(auth0, { user_id: "auth0|1", custom_password_hash: custom });
  expect(user.lost).toBeUndefined();
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test.each([
  [
    { algorithm: "md5", hash: { value: digest("md5", PASSWORD).toString("hex"), encoding: "hex" } },
    "password: unsalted MD5",
  ],
  [
    { algorithm: "sha256", hash: { value: "00", encoding: "hex" }, salt: { value: "", encoding: "utf8" } },
    "password: unsalted SHA-256",
  ],
  [{ algorithm: "md4", hash: { value: "00", encoding: "hex" } }, "password: the algorithm md4 is not supported"],
  [{ algorithm: "<script>" }, "password: the algorithm of the hash is not supported"],
  [
    { algorithm: "bcrypt", hash: { value: BCRYPT }, password: { encoding: "utf16le" } },
    "password: the encoding of the password is not supported",
  ],
  [
    { algorithm: "sha1", hash: { value: "%%", encoding: "base64" } },
    "password: the encoding of the hash is not supported",
  ],
  [
    {
      algorithm: "hmac",
      hash: {
        value: createHmac("sha256", "key").update(PASSWORD).digest("hex"),
        encoding: "hex",
        digest: "sha256",
        key: { value: "key" },
      },
      salt: { value: "salt" },
    },
    "password: HMAC with a salt is not supported",
  ],
])("a custom_password_hash that Signet refuses is lost: %j", (custom, reason) => {
  expect(lostOf(auth0, { user_id: "auth0|1", custom_password_hash: custom })).toEqual([reason]);
});

test("factors of a file in the import format", () => {
  const factors = [
    { totp: { secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" } },
    { phone: { value: "+1" } },
    { email: { value: "a" } },
  ];
  expect(readUser(auth0, { user_id: "auth0|1", mfa_factors: factors })).toEqual({
    sourceId: "auth0|1",
    otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    lost: ["second factor by SMS", "second factor by email"],
  });
});

test("a value of a wrong type refuses the record, with the field", () => {
  expect(convert(auth0, { user_id: "auth0|1", email: ["a@example.com"], email_verified: "perhaps" })).toEqual({
    kind: "refused",
    sourceId: "auth0|1",
    problems: [
      { field: "email", description: "must be text" },
      { field: "email_verified", description: "must be true or false" },
    ],
  });
});
