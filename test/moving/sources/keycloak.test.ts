import { createHmac, pbkdf2Sync } from "node:crypto";
import { keycloak } from "../../../src/moving/sources/keycloak.ts";
import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import { convert, isPassword, lostOf, readUser } from "./read.ts";

const password = (credentialData: object, secretData: object) => ({
  type: "password",
  credentialData: JSON.stringify(credentialData),
  secretData: JSON.stringify(secretData),
});

const otp = (credentialData: object, value: string) => ({
  type: "otp",
  credentialData: JSON.stringify({
    subType: "totp",
    digits: 6,
    counter: 0,
    period: 30,
    algorithm: "HmacSHA1",
    ...credentialData,
  }),
  secretData: JSON.stringify({ value }),
});

const withCredentials = (...credentials: readonly object[]) => ({ id: "1", username: "ada", credentials });

test("service accounts are left out", () => {
  const account = { id: "1", username: "service-account-app", serviceAccountClientId: "app", enabled: true };
  expect(convert(keycloak, account)).toEqual({ kind: "skipped", sourceId: "1", reason: "service account of a client" });
});

test("a user in the directory of a federation that does not import users is left out", () => {
  // As `kc.sh export` writes `federatedUsers`: without a name.
  const user = { id: "f:8b9f6f0c-8f0a-4f4e-9f57-0d9f4a3a7e11:ada", credentials: [], requiredActions: [], notBefore: 0 };
  expect(convert(keycloak, user)).toEqual({
    kind: "skipped",
    sourceId: user.id,
    reason: "user in a directory that Keycloak only reads: without name and address",
  });
});

test("a user without an address and without a last name is a user", () => {
  expect(readUser(keycloak, { id: "1", username: "ada", enabled: true, firstName: "Ada" })).toEqual({
    sourceId: "1",
    userName: "ada",
    firstName: "Ada",
    emailVerified: false,
    inactive: false,
    passwordChangeRequired: false,
    secondFactorRequired: false,
    phoneVerified: false,
  });
});

test("required actions", () => {
  const user = {
    id: "1",
    email: "a@example.com",
    emailVerified: true,
    requiredActions: ["UPDATE_PASSWORD", "VERIFY_EMAIL", "CONFIGURE_TOTP", "CONFIGURE_RECOVERY_AUTHN_CODES"],
  };
  expect(readUser(keycloak, user)).toMatchObject({
    emailVerified: false,
    passwordChangeRequired: true,
    secondFactorRequired: true,
    lost: ["required action CONFIGURE_RECOVERY_AUTHN_CODES"],
  });
});

test("attributes are lists: known ones become fields, by a map also others, and the rest metadata", () => {
  const attributes = {
    phoneNumber: ["079 123 45 67", "044 123 45 67"],
    locale: ["de"],
    plan: ["pro"],
    teams: ["a", "b"],
    Handy: ["076"],
  };
  expect(readUser(keycloak, { id: "1", attributes })).toMatchObject({
    phone: "079 123 45 67",
    language: "de",
    metadata: { plan: "pro", teams: '["a","b"]', Handy: "076" },
    lost: ["second phone"],
  });
  const mapped = readUser(keycloak, { id: "1", attributes: { Handy: ["076"] } }, { map: { Handy: "phone" } });
  expect(mapped.phone).toBe("076");
  expect(convert(keycloak, { id: "1", attributes }, { map: { plan: "tier" } })).toMatchObject({
    kind: "refused",
    problems: [{ field: "attributes.plan", description: expect.stringContaining("cannot be mapped to tier") }],
  });
});

test("links, roles, groups and directories", () => {
  const user = {
    id: "1",
    federatedIdentities: [{ identityProvider: "google", userId: "1098", userName: "ada@gmail.example" }],
    realmRoles: ["default-roles-acme", "offline_access"],
    clientRoles: {},
    groups: [],
    federationLink: "ldap",
  };
  expect(readUser(keycloak, user)).toMatchObject({
    links: [{ provider: "google", externalUserId: "1098", displayName: "ada@gmail.example" }],
    lost: ["password: it is in the directory of a user federation", "roles"],
  });
});

test("a secret of one-time codes is text, whose bytes are the key", () => {
  const { otp: uri = "" } = readUser(
    keycloak,
    withCredentials(otp({ algorithm: "HmacSHA256", digits: 8, period: 60 }, "KptHvkwDKZfmSdTqAAAA")),
  );
  const secret = parseTotpSecret(uri);
  if (secret === undefined) throw new Error(uri);
  expect(secret).toMatchObject({ algorithm: "sha256", digits: 8, periodSeconds: 60 });
  const now = new Date("2026-01-01T00:00:00Z");
  expect(codeOfStep(secret, stepAt(secret, now))).toBe(codeOfText("KptHvkwDKZfmSdTqAAAA", now));
});

/** RFC 6238 with SHA-256, 8 digits and 60 s. */
function codeOfText(text: string, now: Date): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 60_000)));
  const mac = createHmac("sha256", text).update(counter).digest();
  const number = (mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff) % 10 ** 8;
  return String(number).padStart(8, "0");
}

test("a secret may be base32, and of several one is kept", () => {
  const base32 = otp({ secretEncoding: "BASE32" }, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  expect(readUser(keycloak, withCredentials(base32, otp({}, "KptHvkwDKZfmSdTqAAAA")))).toMatchObject({
    otp: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
    lost: ["second authenticator app"],
  });
});

test("passwords and codes of older exports come across", () => {
  const [salt, secret] = [Buffer.from("salt of Keycloak"), "12345678901234567890"];
  const hash = pbkdf2Sync("correct horse", salt, 100, 64, "sha256").toString("base64");
  const older = {
    ...{ type: "password", hashedSaltedValue: hash, salt: salt.toString("base64"), hashIterations: 100 },
    algorithm: "pbkdf2-sha256",
  };
  const codes = { type: "totp", value: secret, digits: 6, period: 30, counter: 0, algorithm: "HmacSHA1" };
  const user = readUser(keycloak, withCredentials(older, codes));
  expect(isPassword("correct horse", user.passwordHash)).toBe(true);
  expect(parseTotpSecret(user.otp ?? "")?.key).toEqual(Buffer.from(secret));
  expect(user.lost).toBeUndefined();
});

test("plain passwords and older codes by counter are lost, and counted", () => {
  const credentials = [
    { type: "password", value: "secret" },
    { type: "hotp", value: "12345678901234567890", counter: 3 },
  ];
  expect(lostOf(keycloak, withCredentials(...credentials))).toEqual([
    ...["password: plain text", "one-time codes: by counter"],
  ]);
});

test("credentials that Signet has no place for are lost", () => {
  const credentials = [
    otp({ subType: "hotp" }, "KptHvkwDKZfmSdTqAAAA"),
    { type: "recovery-authn-codes", credentialData: "{}", secretData: "{}" },
    { type: "webauthn", credentialData: "{}", secretData: "{}" },
    { type: "x509" },
    password({ algorithm: "scram-sha-1", hashIterations: 1 }, { value: "AAAA", salt: "AAAA" }),
    password({ algorithm: "constructor" }, { value: "AAAA", salt: "AAAA" }),
  ];
  expect(lostOf(keycloak, withCredentials(...credentials))).toEqual([
    "one-time codes: by counter",
    "recovery codes: Keycloak stores hashes of them",
    "security key as second factor",
    "credential x509",
    "password: the algorithm scram-sha-1 is not supported",
    "password: the algorithm constructor is not supported",
  ]);
});

test("a passkey has an id in base64 and a key in base64url, and the id of the user as handle", () => {
  const passkey = {
    type: "webauthn-passwordless",
    userLabel: "Phone",
    credentialData: JSON.stringify({
      aaguid: "0",
      credentialId: "+/8BAgM=",
      counter: 7,
      credentialPublicKey: "pQECAyYg-_8",
    }),
    secretData: "{}",
  };
  expect(readUser(keycloak, withCredentials(passkey)).passkeys).toEqual([
    { credentialId: "-_8BAgM", publicKey: "pQECAyYg-_8", counter: 7, name: "Phone", userHandle: "MQ" },
  ]);
});

test("a complete hash of an extension stays as it is", () => {
  const bcrypt = "$2a$04$......................IBkH8pjfkDYmjZtzsiFYGYLacsaGHyW";
  const { passwordHash } = readUser(
    keycloak,
    withCredentials(password({ algorithm: "bcrypt", hashIterations: 4 }, { value: bcrypt, salt: "" })),
  );
  expect(isPassword("correct horse", passwordHash)).toBe(true);
});

test("a credential whose JSON is broken refuses the user", () => {
  expect(convert(keycloak, withCredentials({ type: "password", credentialData: "{", secretData: "{}" }))).toEqual({
    kind: "refused",
    sourceId: "1",
    problems: [{ field: "credentials[0].credentialData", description: "must be an object" }],
  });
});
