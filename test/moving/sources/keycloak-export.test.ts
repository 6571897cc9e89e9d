import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { keycloak } from "../../../src/moving/sources/keycloak.ts";
import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import { HASHED_USERS, OTP_USERS, PASSWORD } from "../fixtures/keycloak/users.ts";
import { convert, isPassword, readUser } from "./read.ts";

/** Made by `kc.sh export` of Keycloak 26.5.0: test/moving/fixtures/keycloak/make-export.sh. */
const EXPORT = JSON.parse(readFileSync(new URL("../fixtures/keycloak/export-users-0.json", import.meta.url), "utf8"));
const RECORDS = new Map<string, Record<string, unknown>>(
  EXPORT.users.map((user: { username: string }) => [user.username, user]),
);

function recordOf(name: string): Record<string, unknown> {
  const record = RECORDS.get(name);
  if (record === undefined) throw new Error(`the export has no user ${name}`);
  return record;
}

test("every record of the export is a user, except for the service account", () => {
  const kinds = [...RECORDS].map(([name, record]) => [name, convert(keycloak, record).kind]);
  expect(kinds.filter(([, kind]) => kind !== "user")).toEqual([["service-account-robot", "skipped"]]);
  expect(kinds).toHaveLength(13);
});

test.each(Object.keys(HASHED_USERS))("the password of %s matches the hash that Keycloak has made", (name) => {
  const user = readUser(keycloak, recordOf(name));
  expect(user).toMatchObject({
    userName: name,
    firstName: "Test",
    lastName: "User",
    email: `${name}@example.com`,
    emailVerified: true,
  });
  expect(isPassword(`${PASSWORD}${name}`, user.passwordHash)).toBe(true);
});

test.each(Object.entries(OTP_USERS))("the codes of %s are those of the app that was set up", (name, policy) => {
  const { otp = "", passwordHash } = readUser(keycloak, recordOf(name));
  const secret = parseTotpSecret(otp);
  if (secret === undefined) throw new Error(`not a secret: ${otp}`);
  const now = new Date("2026-11-26T20:00:00Z");
  expect(codeOfStep(secret, stepAt(secret, now))).toBe(codeOf(recordOf(name), policy, now));
  expect(isPassword(`${PASSWORD}${name}`, passwordHash)).toBe(true);
});

/** Computes the code from the record as Keycloak's documentation describes it: the text of the secret is the key. */
function codeOf(
  record: Record<string, unknown>,
  policy: (typeof OTP_USERS)[keyof typeof OTP_USERS],
  now: Date,
): string {
  const credentials = record.credentials as { type: string; secretData: string }[];
  const { secretData = "{}" } = credentials.find(({ type }) => type === "otp") ?? {};
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 1_000 / policy.otpPolicyPeriod)));
  const mac = createHmac(policy.otpPolicyAlgorithm.slice(4), JSON.parse(secretData).value).update(counter).digest();
  const number = (mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff) % 10 ** policy.otpPolicyDigits;
  return String(number).padStart(policy.otpPolicyDigits, "0");
}

test("the states and the rest of the realm's users", () => {
  expect(readUser(keycloak, recordOf("disabled")).inactive).toBe(true);
  expect(readUser(keycloak, recordOf("argon2")).inactive).toBe(false);
  expect(readUser(keycloak, recordOf("actions"))).toMatchObject({
    passwordChangeRequired: true,
    emailVerified: false,
    secondFactorRequired: true,
  });
  const { email, lastName, ...nameless } = readUser(keycloak, recordOf("nameless"));
  expect([email, lastName, nameless.firstName]).toEqual([undefined, undefined, "Test"]);
  expect(readUser(keycloak, recordOf("attributes"))).toMatchObject({
    phone: "079 123 45 67",
    metadata: { team: '["red","blue"]' },
  });
  expect(readUser(keycloak, recordOf("linked")).links).toEqual([
    { provider: "google", externalUserId: "109876543210", displayName: "linked@gmail.example" },
  ]);
});
