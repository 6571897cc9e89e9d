import { scryptSync } from "node:crypto";
import { betterAuth } from "../../../src/moving/sources/better-auth.ts";
import { REAL_HASHES } from "../../passwords/real-hashes.ts";
import { convert, isPassword, lostOf, readUser } from "./read.ts";

/** As Better Auth makes it: the salt is the hex text. */
function hashPassword(password: string): string {
  const salt = "00112233445566778899aabbccddeeff";
  const key = scryptSync(password.normalize("NFKC"), salt, 64, {
    N: 16_384,
    r: 16,
    p: 1,
    maxmem: 128 * 16_384 * 16 * 2,
  });
  return `${salt}:${key.toString("hex")}`;
}

const USER = {
  id: "u1",
  name: "Ada Lovelace",
  email: "ada@example.com",
  emailVerified: 1,
  image: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  username: "ada",
  displayUsername: "Ada",
  phoneNumber: "+41791234567",
  phoneNumberVerified: 0,
  role: "user",
  banned: null,
  plan: "pro",
  accounts: [
    { id: "a1", accountId: "u1", providerId: "credential", userId: "u1", password: hashPassword("correct horse") },
    { id: "a2", accountId: "1098", providerId: "google", userId: "u1", password: null },
  ],
  passkeys: [
    {
      ...{ id: "p1", name: "Phone", publicKey: "pQECAyYg+/8=", userId: "u1", credentialID: "-_8BAgM", counter: 7 },
      ...{ deviceType: "singleDevice", backedUp: 0 },
    },
  ],
};

const EXPECTED = {
  sourceId: "u1",
  userName: "Ada",
  displayName: "Ada Lovelace",
  email: "ada@example.com",
  emailVerified: true,
  phone: "+41791234567",
  phoneVerified: false,
  passwordHash: expect.stringMatching(/^\$better-auth\$/),
  links: [{ provider: "google", externalUserId: "1098" }],
  passkeys: [{ credentialId: "-_8BAgM", publicKey: "pQECAyYg-_8", counter: 7, name: "Phone", isBackupEligible: false }],
  metadata: { plan: "pro" },
};

test("a user with the rows that belong to it", () => {
  const user = readUser(betterAuth, USER);
  expect(user).toEqual(EXPECTED);
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
});

test("the rows of other tables may be records of their own", () => {
  const { accounts, passkeys, ...row } = USER;
  const factor = { id: "f1", userId: "u1", secret: "encrypted", backupCodes: "encrypted" };
  const parts = [...accounts, ...passkeys, factor].map((record) => betterAuth.secondFile?.(record));
  expect(parts.map((part) => part?.id)).toEqual(["u1", "u1", "u1", "u1"]);
  const merged = Object.assign({ ...row }, ...parts.map((part) => part?.values));
  const lost = ["one-time codes: encrypted with the secret of Better Auth"];
  expect(readUser(betterAuth, merged)).toEqual({ ...EXPECTED, lost });
  expect(betterAuth.secondFile?.(row)).toBeUndefined();
  // A session has a user too.
  expect(betterAuth.secondFile?.({ id: "s1", userId: "u1", token: "x" })).toBeUndefined();
});

test("columns may have underscores", () => {
  const account = { account_id: "1098", provider_id: "google", user_id: "u1" };
  const row = {
    id: "u1",
    email_verified: true,
    phone_number: "+41791234567",
    two_factor_enabled: false,
    accounts: [account],
  };
  expect(readUser(betterAuth, row)).toEqual({
    sourceId: "u1",
    emailVerified: true,
    phone: "+41791234567",
    links: [{ provider: "google", externalUserId: "1098" }],
  });
});

test("anonymous users are left out, banned ones are inactive, and roles are lost", () => {
  expect(convert(betterAuth, { id: "u1", isAnonymous: true })).toEqual({
    kind: "skipped",
    sourceId: "u1",
    reason: "anonymous user",
  });
  expect(readUser(betterAuth, { id: "u1", banned: true, role: "admin" })).toEqual({
    sourceId: "u1",
    inactive: true,
    lost: ["roles"],
  });
});

test("hashes of other functions stay as they are", () => {
  const withPassword = (password: string) => ({
    id: "u1",
    accounts: [{ providerId: "credential", accountId: "u1", password }],
  });
  const argon2 = REAL_HASHES["argon2id (reference implementation)"];
  expect(isPassword("correct horse", readUser(betterAuth, withPassword(argon2)).passwordHash)).toBe(true);
  expect(lostOf(betterAuth, withPassword("salt:hash"))).toEqual(["password: a hash of an unknown scheme"]);
});
