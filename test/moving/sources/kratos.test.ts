import { createHash, createHmac, pbkdf2Sync, scryptSync } from "node:crypto";
import { hashSync } from "bcryptjs";
import { kratos } from "../../../src/moving/sources/kratos.ts";
import { parseTotpSecret } from "../../../src/sign-in/code/totp.ts";
import { REAL_HASHES } from "../../passwords/real-hashes.ts";
import { convert, isPassword, lostOf, readUser } from "./read.ts";

const TOTP =
  "otpauth://totp/Acme:ada@example.com?algorithm=SHA1&digits=6&issuer=Acme&period=30&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/** After `GET /admin/identities` of Ory Kratos 26.2 with all credentials included. */
const IDENTITY = {
  id: "7b8f1f2e-34b1-4a9e-9a3c-0b9b5a1f6a11",
  external_id: "customer-17",
  credentials: {
    password: {
      type: "password",
      identifiers: ["ada@example.com"],
      config: { hashed_password: hashSync("correct horse", 4) },
      version: 0,
    },
    oidc: {
      type: "oidc",
      identifiers: ["google:1098"],
      config: { providers: [{ subject: "1098", provider: "google", initial_id_token: "" }] },
    },
    totp: { type: "totp", identifiers: ["7b8f1f2e"], config: { totp_url: TOTP } },
    lookup_secret: {
      type: "lookup_secret",
      config: {
        recovery_codes: [
          { code: "abcd1234", used_at: null },
          { code: "efgh5678", used_at: "2026-01-01T00:00:00Z" },
        ],
      },
    },
    passkey: {
      type: "passkey",
      config: {
        credentials: [
          {
            id: "+/8BAgM=",
            public_key: "pQECAyYg",
            display_name: "Phone",
            authenticator: { aaguid: "AAAA", sign_count: 7, clone_warning: false },
            flags: { user_present: true, user_verified: true, backup_eligible: true, backup_state: true },
          },
        ],
        user_handle: "AQI=",
      },
    },
    webauthn: {
      type: "webauthn",
      config: {
        credentials: [{ id: "AQID", public_key: "pQEC", is_passwordless: false, authenticator: { sign_count: 1 } }],
      },
    },
  },
  schema_id: "default",
  state: "inactive",
  traits: { email: "Ada@example.com", name: { first: "Ada", last: "Lovelace" }, newsletter: true, locale: "en" },
  verifiable_addresses: [{ id: "1", value: "ada@example.com", verified: true, via: "email", status: "completed" }],
  metadata_public: { plan: "pro" },
  metadata_admin: null,
  organization_id: null,
};

test("an identity with every kind of credential", () => {
  const user = readUser(kratos, IDENTITY);
  expect(user).toEqual({
    sourceId: IDENTITY.id,
    firstName: "Ada",
    lastName: "Lovelace",
    language: "en",
    email: "Ada@example.com",
    emailVerified: true,
    phoneVerified: false,
    inactive: true,
    passwordHash: expect.stringMatching(/^\$2b\$/),
    otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    recoveryCodes: ["abcd1234"],
    passkeys: [
      {
        ...{ credentialId: "-_8BAgM", publicKey: "pQECAyYg", counter: 7, name: "Phone" },
        ...{ userHandle: "AQI", isBackupEligible: true },
      },
    ],
    links: [{ provider: "google", externalUserId: "1098" }],
    metadata: { kratos_external_id: "customer-17", "traits.newsletter": "true", "metadata_public.plan": "pro" },
    lost: ["security key as second factor"],
  });
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
  expect(parseTotpSecret(user.otp ?? "")?.key.toString()).toBe("12345678901234567890");
});

test("traits become fields by a map, which overrides the usual names", () => {
  const record = {
    id: "1",
    traits: {
      email: "old@example.com",
      contact: { mail: "new@example.com", tel: "079 123 45 67" },
      vorname: "Ada",
      tier: "gold",
    },
  };
  const map = { "traits.contact.mail": "email", "contact.tel": "phone", vorname: "firstName", tier: "metadata.plan" };
  expect(readUser(kratos, record, { map })).toMatchObject({
    email: "new@example.com",
    phone: "079 123 45 67",
    firstName: "Ada",
    metadata: { plan: "gold", "traits.email": "old@example.com" },
  });
});

test("a map to an unknown field is a problem", () => {
  expect(convert(kratos, { id: "1", traits: { a: "x" } }, { map: { a: "passwd" } })).toMatchObject({
    kind: "refused",
    problems: [
      { field: "traits.a", description: expect.stringContaining("cannot be mapped to passwd; allowed: userName") },
    ],
  });
});

test("of several addresses, the first is kept", () => {
  const user = readUser(kratos, { id: "1", traits: { email: ["a@example.com", "b@example.com"] } });
  expect(user).toMatchObject({ email: "a@example.com", emailVerified: false, lost: ["second email address"] });
});

test("only the address that was verified is verified", () => {
  const addresses = [
    { value: "b@example.com", verified: true, via: "email" },
    { value: "+41791234567", verified: true, via: "sms" },
  ];
  const record = {
    id: "1",
    traits: { email: "a@example.com", phone: "+41791234567" },
    verifiable_addresses: addresses,
  };
  expect(readUser(kratos, record)).toMatchObject({ emailVerified: false, phoneVerified: true });
});

const salt = Buffer.from("0123456789abcdef");
const unpadded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64");
const SCRYPT = scryptSync("correct horse", salt, 32, { N: 16_384, r: 8, p: 1 });
const withPrefix = (hash: string, prefix: string) => hash.replace(/^\$\d\$/, `$${prefix}$`);

test.each([
  ["argon2id", REAL_HASHES["argon2id (reference implementation)"]],
  [
    "PBKDF2 without padding",
    `$pbkdf2-sha256$i=100000,l=32$${unpadded(salt)}$${unpadded(pbkdf2Sync("correct horse", salt, 100_000, 32, "sha256"))}`,
  ],
  ["scrypt with N itself", `$scrypt$ln=16384,r=8,p=1$${salt.toString("base64")}$${SCRYPT.toString("base64")}`],
  ["SHA-256-crypt", withPrefix(REAL_HASHES["SHA-256-crypt (openssl)"], "sha256-crypt")],
  ["SHA-512-crypt", withPrefix(REAL_HASHES["SHA-512-crypt, longest salt (libxcrypt)"], "sha512-crypt")],
  ["MD5-crypt", withPrefix(REAL_HASHES["MD5-crypt (openssl)"], "md5-crypt")],
  [
    "SHA-256 with a salt",
    `$sha256$pf=${base64("{SALT}{PASSWORD}")}$${base64(salt)}$${createHash("sha256").update(salt).update("correct horse").digest("base64")}`,
  ],
  [
    "MD5 with a salt and other text",
    `$md5$pf=${base64("--{PASSWORD}--{SALT}")}$${base64(salt)}$${createHash("md5").update("--correct horse--").update(salt).digest("base64")}`,
  ],
  [
    "HMAC",
    `$hmac-sha256$${base64(createHmac("sha256", "key").update("correct horse").digest("hex"))}$${base64("key")}`,
  ],
])("the hash of an identity verifies: %s", (_name, hash) => {
  const user = readUser(kratos, { id: "1", credentials: { password: { config: { hashed_password: hash } } } });
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
});

test("of several passkeys, the user handle is not known, because Kratos stores the last one", () => {
  const key = { public_key: "pQECAyYg", authenticator: { sign_count: 0 } };
  const config = { credentials: ["AQID", "BAUG"].map((id) => ({ id, ...key })), user_handle: "AQI=" };
  const user = readUser(kratos, { id: "1", credentials: { passkey: { config } } });
  expect(user.passkeys).toEqual(
    ["AQID", "BAUG"].map((credentialId) => ({ credentialId, publicKey: "pQECAyYg", counter: 0 })),
  );
});

test("credentials without content, and those that Signet has no place for, are lost", () => {
  const credentials = {
    password: { type: "password", identifiers: ["a@example.com"] },
    totp: { type: "totp" },
    code: { type: "code", config: { addresses: [] } },
  };
  expect(lostOf(kratos, { id: "1", credentials })).toEqual([
    "password: not in the export",
    "one-time codes: not in the export",
    "sign-in with codes in messages",
  ]);
  const hook = { password: { config: { hashed_password: "", use_password_migration_hook: true } } };
  expect(lostOf(kratos, { id: "1", credentials: hook })).toEqual(["password: Kratos asks a hook for it"]);
});

test("unsalted hashes are lost", () => {
  const credentials = { password: { config: { hashed_password: "$md5$X03MO1qnZdYdgyfeuILPmQ==" } } };
  expect(lostOf(kratos, { id: "1", credentials })).toEqual(["password: unsalted MD5"]);
});
