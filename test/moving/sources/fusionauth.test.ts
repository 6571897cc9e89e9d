import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { fusionauth } from "../../../src/moving/sources/fusionauth.ts";
import { isPassword, lostOf, readUser } from "./read.ts";

const PASSWORD = "correct horse";

/** After the response of `/api/user/search`. */
const USER = {
  active: true,
  birthDate: "1815-12-10",
  data: { plan: "pro" },
  email: "ada@example.com",
  firstName: "Ada",
  fullName: "Ada Lovelace",
  id: "00000000-0000-0001-0000-000000000000",
  imageUrl: "https://example.com/ada.png",
  lastLoginInstant: 1471786483322,
  lastName: "Lovelace",
  memberships: [{ groupId: "2cb5c83f-53ff-4d16-88bd-c5e3802111a5" }],
  mobilePhone: "303-555-1234",
  passwordChangeRequired: true,
  preferredLanguages: ["en", "fr"],
  registrations: [{ applicationId: "10000000-0000-0002-0000-000000000001", roles: ["user"] }],
  timezone: "Europe/London",
  twoFactor: {
    methods: [
      { authenticator: { algorithm: "HmacSHA1", codeLength: 6, timeStep: 30 }, id: "35VW", method: "authenticator" },
      { id: "V7SH", method: "sms", mobilePhone: "303-555-5555" },
      { email: "ada@example.com", id: "7K2G", method: "email" },
    ],
  },
  username: "ada",
  usernameStatus: "ACTIVE",
  verified: true,
};

test("a user of the API", () => {
  expect(readUser(fusionauth, USER)).toEqual({
    sourceId: USER.id,
    userName: "ada",
    firstName: "Ada",
    lastName: "Lovelace",
    displayName: "Ada Lovelace",
    language: "en",
    email: "ada@example.com",
    emailVerified: true,
    phone: "303-555-1234",
    phoneVerified: false,
    passwordChangeRequired: true,
    metadata: { "data.plan": "pro", birthDate: "1815-12-10", timezone: "Europe/London" },
    inactive: false,
    lost: [
      "one-time codes: not in the export",
      "second factor by SMS",
      "second factor by email",
      "second language",
      "picture",
      "registrations and roles",
      "memberships of groups",
      "password: not in the export",
    ],
  });
});

test("in newer versions, each address and number has a status of its own", () => {
  const identities = [
    { type: "email", value: "ada@example.com", verified: false },
    { type: "phoneNumber", value: "+13035551212", verified: true },
  ];
  expect(readUser(fusionauth, { ...USER, phoneNumber: "+13035551212", identities })).toMatchObject({
    emailVerified: false,
    phone: "+13035551212",
    phoneVerified: true,
  });
});

test("a user who has expired is inactive", () => {
  expect(readUser(fusionauth, { ...USER, expiry: 1571786483322 }).inactive).toBe(true);
  const later = { ...USER, expiry: 32503680000000 };
  expect(readUser(fusionauth, later).inactive).toBe(false);
  expect(lostOf(fusionauth, later)).toContain("the time at which the user expires");
});

test("a user of an import has a secret and recovery codes", () => {
  const secret = Buffer.from("12345678901234567890").toString("base64");
  const methods = [
    { method: "authenticator", secret, authenticator: { algorithm: "HmacSHA1", codeLength: 6, timeStep: 30 } },
    { method: "authenticator", secret },
  ];
  const user = { email: "ada@example.com", twoFactor: { methods, recoveryCodes: ["ABCDE-12345"] } };
  expect(readUser(fusionauth, user)).toMatchObject({
    sourceId: "ada@example.com",
    otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    recoveryCodes: ["ABCDE-12345"],
    lost: ["second authenticator app", "password: not in the export"],
  });
});

test("rows of the database belong to their users", () => {
  const hash = { users_id: USER.id, ...toRow("bcrypt", 4, BCRYPT.slice(7, 29), BCRYPT.slice(29)) };
  const link = { users_id: USER.id, identity_provider: "Google", identity_providers_user_id: "1098" };
  const parts = [hash, link].map((row) => fusionauth.secondFile?.(row));
  expect(parts.map((part) => part?.id)).toEqual([USER.id, USER.id]);
  const user = readUser(fusionauth, Object.assign({ ...USER }, ...parts.map((part) => part?.values)));
  expect(user.links).toEqual([{ provider: "Google", externalUserId: "1098" }]);
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
  expect(fusionauth.secondFile?.(USER)).toBeUndefined();
});

const BCRYPT = hashSync(PASSWORD, 4);
const SALT = Buffer.from("0123456789abcdef");
const toRow = (encryption_scheme: string, factor: number, salt: string, password: string) => ({
  ...{ encryption_scheme, factor, salt, password },
});

/** The algorithms of FusionAuth's reference "Password-Hashing Algorithms". */
function repeat(name: string, factor: number): Buffer {
  let result: Buffer = Buffer.concat([Buffer.from(PASSWORD), SALT]);
  for (let count = 0; count < factor; count++) result = createHash(name).update(result).digest();
  return result;
}

test.each([
  ["salted-md5", 100, repeat("md5", 100)],
  ["salted-sha256", 100, repeat("sha256", 100)],
  ["salted-hmac-sha256", 1, createHmac("sha256", SALT).update(PASSWORD).digest()],
  ["salted-pbkdf2-hmac-sha256", 24_000, pbkdf2Sync(PASSWORD, SALT, 24_000, 32, "sha256")],
  ["salted-pbkdf2-hmac-sha256-512", 24_000, pbkdf2Sync(PASSWORD, SALT, 24_000, 64, "sha256")],
  ["salted-pbkdf2-hmac-sha512-512", 24_000, pbkdf2Sync(PASSWORD, SALT, 24_000, 64, "sha512")],
])("the scheme %s", (encryptionScheme, factor, hash) => {
  const user = { id: "1", encryptionScheme, factor, salt: SALT.toString("base64"), password: hash.toString("base64") };
  const read = readUser(fusionauth, user);
  expect(read.lost).toBeUndefined();
  expect(isPassword(PASSWORD, read.passwordHash)).toBe(true);
});

test.each([
  [{ encryptionScheme: "phpass-md5", password: "AAAA" }, "password: the scheme phpass-md5 is not supported"],
  [{ encryptionScheme: "example-custom", password: "AAAA" }, "password: the scheme example-custom is not supported"],
  [{ encryptionScheme: "salted-sha256", password: "!" }, "password: not a complete hash of salted-sha256"],
  [{ password: "AAAA" }, "password: without its scheme"],
])("the hash %j is lost", (hash, reason) => {
  expect(lostOf(fusionauth, { id: "1", factor: 1, salt: "AAAA", ...hash })).toEqual([reason]);
});
