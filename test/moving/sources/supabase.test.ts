import { hashSync } from "bcryptjs";
import { supabase } from "../../../src/moving/sources/supabase.ts";
import { parsePasswordHash } from "../../../src/passwords/modular-crypt-format.ts";
import { REAL_HASHES } from "../../passwords/real-hashes.ts";
import { convert, isPassword, lostOf, readUser } from "./read.ts";

/** After a row of `auth.users` with the rows that belong to it. */
const USER = {
  instance_id: "00000000-0000-0000-0000-000000000000",
  id: "6f2b1f0e-5f6a-4a55-8f5e-4b6b5b0f7a01",
  aud: "authenticated",
  role: "authenticated",
  email: "ada@example.com",
  encrypted_password: hashSync("correct horse", 4),
  email_confirmed_at: "2024-01-15T10:30:00+00:00",
  phone: "41791234567",
  phone_confirmed_at: null,
  email_change: "",
  banned_until: null,
  deleted_at: null,
  is_anonymous: false,
  raw_app_meta_data: { provider: "email", providers: ["email", "google"], plan: "pro" },
  raw_user_meta_data: {
    full_name: "Ada Lovelace",
    avatar_url: "https://a",
    email_verified: true,
    sub: "1098",
    theme: "dark",
  },
  identities: [
    { provider: "email", provider_id: "6f2b1f0e", identity_data: { email: "ada@example.com" } },
    { provider: "google", provider_id: "1098", identity_data: { sub: "1098", email: "ada@gmail.example" } },
  ],
  mfa_factors: [
    { id: "1", factor_type: "totp", status: "unverified", secret: "MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK" },
    { id: "2", factor_type: "totp", status: "verified", secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" },
    { id: "3", factor_type: "totp", status: "verified", secret: "MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK" },
    { id: "4", factor_type: "phone", status: "verified", phone: "41791234567" },
  ],
  webauthn_credentials: [
    {
      ...{ credential_id: "\\xfbff01", public_key: "\\xa501", sign_count: 3, friendly_name: "Phone" },
      ...{ backup_eligible: true, backed_up: false },
    },
  ],
};

test("a row with the rows that belong to it", () => {
  const user = readUser(supabase, USER);
  expect(user).toEqual({
    sourceId: USER.id,
    displayName: "Ada Lovelace",
    email: "ada@example.com",
    emailVerified: true,
    // The plus sign is not stored.
    phone: "+41791234567",
    phoneVerified: false,
    passwordHash: expect.stringMatching(/^\$2b\$/),
    otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    links: [{ provider: "google", externalUserId: "1098", displayName: "ada@gmail.example" }],
    passkeys: [
      {
        ...{ credentialId: "-_8B", publicKey: "pQE", counter: 3, name: "Phone", isBackupEligible: true },
        userHandle: Buffer.from(USER.id).toString("base64url"),
      },
    ],
    metadata: { "user_metadata.theme": "dark", "app_metadata.plan": "pro" },
    inactive: false,
    lost: ["picture", "second authenticator app", "second factor by SMS"],
  });
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
});

test("a CSV has JSON in text, and empty text for null", () => {
  const row = {
    id: "1",
    email: "a@example.com",
    encrypted_password: "",
    email_confirmed_at: "",
    phone: "",
    deleted_at: "",
    banned_until: "",
    is_anonymous: "f",
    raw_user_meta_data: '{"first_name":"Ada","last_name":"Lovelace"}',
    raw_app_meta_data: "{}",
  };
  expect(readUser(supabase, row)).toEqual({
    sourceId: "1",
    firstName: "Ada",
    lastName: "Lovelace",
    email: "a@example.com",
    emailVerified: false,
    phoneVerified: false,
    inactive: false,
  });
});

test("rows of the other tables belong to their users", () => {
  const identity = { id: "9", user_id: "1", provider: "github", provider_id: "42", identity_data: "{}" };
  const factor = {
    id: "8",
    user_id: "1",
    factor_type: "totp",
    status: "verified",
    secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  };
  const parts = [identity, factor].map((row) => supabase.secondFile?.(row));
  expect(parts.map((part) => part?.id)).toEqual(["1", "1"]);
  expect(readUser(supabase, Object.assign({ id: "1" }, ...parts.map((part) => part?.values)))).toMatchObject({
    links: [{ provider: "github", externalUserId: "42" }],
    otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  });
  expect(supabase.secondFile?.(USER)).toBeUndefined();
});

test("deleted and anonymous users are left out", () => {
  expect(convert(supabase, { id: "1", deleted_at: "2024-01-15 10:30:00+00" })).toEqual({
    kind: "skipped",
    sourceId: "1",
    reason: "deleted user",
  });
  expect(convert(supabase, { id: "1", is_anonymous: "true" })).toEqual({
    kind: "skipped",
    sourceId: "1",
    reason: "anonymous user",
  });
});

test.each([
  ["2124-01-15 10:30:00.123456+00", true],
  ["2124-01-15T10:30:00+00:00", true],
  ["infinity", true],
  ["2001-01-15 10:30:00+00", false],
])("a ban until %s makes the user inactive: %j", (until, inactive) => {
  expect(readUser(supabase, { id: "1", banned_until: until }).inactive).toBe(inactive);
});

test("hashes of Firebase and Argon2 stay as they are", () => {
  const argon2 = REAL_HASHES["argon2id (reference implementation)"];
  expect(isPassword("correct horse", readUser(supabase, { id: "1", encrypted_password: argon2 }).passwordHash)).toBe(
    true,
  );
  const key = Buffer.alloc(64, 1).toString("base64");
  const hash = `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${key}$c29tZXNhbHQ=$${key}`;
  const user = readUser(supabase, { id: "1", encrypted_password: hash });
  expect(parsePasswordHash(user.passwordHash ?? "")).toMatchObject({ ok: true });
  expect(lostOf(supabase, { id: "1", encrypted_password: "$fbscrypt$v=1,n=14,r=8,p=1$c29tZXNhbHQ=$aGFzaA==" })).toEqual(
    ["password: without the salt separator or the signer key of Firebase"],
  );
});

test("what the project encrypts is lost", () => {
  const encrypted = '{"key_id":"1","alg":"aes-gcm-hkdf","data":"AAAA","nonce":"AAAA"}';
  const factor = { factor_type: "totp", status: "verified", secret: encrypted };
  expect(lostOf(supabase, { id: "1", encrypted_password: encrypted, mfa_factors: [factor] })).toEqual([
    "password: encrypted with a key of Supabase",
    "one-time codes: the secret is encrypted",
  ]);
});
