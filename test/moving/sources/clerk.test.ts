import { createCipheriv, createHash, pbkdf2Sync, scryptSync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { clerk } from "../../../src/moving/sources/clerk.ts";
import { REAL_HASHES } from "../../passwords/real-hashes.ts";
import { isPassword, lostOf, readUser } from "./read.ts";

const PASSWORD = "correct horse";

/** A row of the dashboard's CSV. */
const ROW = {
  id: "user_2YDryYFVMM1W1plDDKz7Gzf4we6",
  first_name: "Ada",
  last_name: "Lovelace",
  username: "",
  primary_email_address: "ada@example.com",
  primary_phone_number: "+41791234567",
  verified_email_addresses: "other@example.com|ada@example.com",
  unverified_email_addresses: "third@example.com",
  verified_phone_numbers: "",
  unverified_phone_numbers: "+41791234567",
  totp_secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  password_digest: hashSync(PASSWORD, 4),
  password_hasher: "bcrypt",
};

test("a row of the CSV has lists with | between their values", () => {
  const user = readUser(clerk, ROW);
  expect(user).toEqual({
    sourceId: "user_2YDryYFVMM1W1plDDKz7Gzf4we6",
    firstName: "Ada",
    lastName: "Lovelace",
    email: "ada@example.com",
    emailVerified: true,
    phone: "+41791234567",
    phoneVerified: false,
    passwordHash: expect.stringMatching(/^\$2b\$/),
    otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    inactive: false,
    lost: ["second email address"],
  });
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test("without a primary address, a verified one counts before others", () => {
  const row = {
    ...ROW,
    primary_email_address: "",
    verified_email_addresses: "",
    unverified_email_addresses: "a@example.com",
  };
  expect(readUser(clerk, row)).toMatchObject({ email: "a@example.com", emailVerified: false });
  expect(readUser(clerk, { ...row, verified_email_addresses: "b@example.com" })).toMatchObject({
    email: "b@example.com",
    emailVerified: true,
  });
});

test("a user of the API has objects, metadata and links, and no hash", () => {
  const user = {
    id: "user_1",
    object: "user",
    external_id: "customer-17",
    username: "ada",
    first_name: "Ada",
    last_name: null,
    primary_email_address_id: "idn_2",
    email_addresses: [
      { id: "idn_1", email_address: "old@example.com", verification: { status: "verified" } },
      { id: "idn_2", email_address: "ada@example.com", verification: { status: "unverified" } },
    ],
    phone_numbers: [],
    web3_wallets: [],
    passkeys: [],
    external_accounts: [{ provider: "oauth_google", provider_user_id: "1098", email_address: "ada@gmail.example" }],
    saml_accounts: [],
    password_enabled: true,
    totp_enabled: true,
    backup_code_enabled: true,
    banned: true,
    public_metadata: { plan: "pro" },
    private_metadata: {},
    unsafe_metadata: { theme: "dark" },
  };
  expect(readUser(clerk, user)).toEqual({
    sourceId: "user_1",
    userName: "ada",
    firstName: "Ada",
    email: "ada@example.com",
    emailVerified: false,
    phoneVerified: false,
    links: [{ provider: "google", externalUserId: "1098", displayName: "ada@gmail.example" }],
    metadata: { clerk_external_id: "customer-17", "public_metadata.plan": "pro", "unsafe_metadata.theme": "dark" },
    inactive: true,
    lost: [
      "second email address",
      "password: not in the export",
      "one-time codes: not in the export",
      "recovery codes: not in the export",
    ],
  });
});

const salt = Buffer.from("0123456789");
const base64 = (bytes: Buffer) => bytes.toString("base64");
const derive = (digest: string, bytes: number) => pbkdf2Sync(PASSWORD, salt, 1_000, bytes, digest);
const signerKey = Buffer.alloc(64, 7);
const separator = Buffer.from("Bw==", "base64");
const firebaseKey = scryptSync(PASSWORD, Buffer.concat([salt, separator]), 32, { N: 2 ** 14, r: 8, p: 1 });
const firebase = createCipheriv("aes-256-ctr", firebaseKey, Buffer.alloc(16)).update(signerKey);

test.each([
  ["bcrypt", hashSync(PASSWORD, 4)],
  ["argon2id", REAL_HASHES["argon2id (reference implementation)"]],
  ["argon2i", REAL_HASHES["argon2i (reference implementation)"]],
  ["phpass", REAL_HASHES["phpass (passlib)"]],
  ["pbkdf2_sha256", `pbkdf2_sha256$1000$${base64(salt)}$${base64(derive("sha256", 32))}`],
  ["pbkdf2_sha512", `pbkdf2_sha512$1000$${base64(salt)}$${base64(derive("sha512", 64))}`],
  ["pbkdf2_sha1", `pbkdf2_sha1$1000$${salt}$${derive("sha1", 20).toString("hex")}`],
  ["pbkdf2_sha256_django", `pbkdf2_sha256$1000$${salt}$${base64(derive("sha256", 32))}`],
  ["pbkdf2_sha512_hex", `pbkdf2_sha512_hex$1000$${salt.toString("hex")}$${derive("sha512", 64).toString("hex")}`],
  [
    "scrypt_werkzeug",
    `scrypt:32768:8:1$${salt}$${scryptSync(PASSWORD, salt, 64, { N: 32_768, maxmem: 2 ** 26 }).toString("hex")}`,
  ],
  ["scrypt_firebase", [base64(firebase), base64(salt), base64(signerKey), "Bw==", "8", "14"].join("$")],
  ["ldap_ssha", `{SSHA}${base64(Buffer.concat([createHash("sha1").update(PASSWORD).update(salt).digest(), salt]))}`],
])("the hasher %s", (password_hasher, password_digest) => {
  const user = readUser(clerk, { id: "1", password_hasher, password_digest });
  expect(user.lost).toBeUndefined();
  expect(isPassword(PASSWORD, user.passwordHash)).toBe(true);
});

test.each([
  ["md5", "5f4dcc3b5aa765d61d8327deb882cf99", "password: unsalted MD5"],
  ["sha256", "00", "password: unsalted SHA-256"],
  ["awscognito", "awscognito#ada#pool", "password: Clerk asks Cognito for it"],
  ["sha512_symfony", "a", "password: the hasher sha512_symfony is not supported"],
  ["bcrypt_sha256_django", "bcrypt_sha256$$2b$12$a", "password: the hasher bcrypt_sha256_django is not supported"],
  ["pbkdf2_sha256", "pbkdf2_sha256$x$y$z", "password: not a complete hash of pbkdf2_sha256"],
  ["scrypt_firebase", "a$b", "password: not a complete hash of scrypt_firebase"],
  ["constructor", "a", "password: the hasher constructor is not supported"],
])("the hasher %s is lost", (password_hasher, password_digest, reason) => {
  expect(lostOf(clerk, { id: "1", password_hasher, password_digest })).toEqual([reason]);
});
