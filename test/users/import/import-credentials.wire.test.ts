import type { JsonObject } from "@bufbuild/protobuf";
import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import { siteOf } from "../../support/browsers/passkeys.ts";
import { type Caller, createCaller } from "../../support/clients/callers.ts";
import { expectError } from "../../support/clients/errors.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const base64 = (bytes: number) => Buffer.alloc(bytes).toString("base64");
const twice = (passkey: JsonObject) => ({ passkeys: [passkey, passkey] });

let service: TestService;
let caller: Caller;
let users = 0;
beforeAll(async () => {
  service = await startService("postgres");
  service.secret(OTP_SECRET);
  caller = createCaller("grpc", service, service.adminToken);
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

const importHuman = (changes: JsonObject) =>
  caller.call("ImportHumanUser", { userName: `user-${++users}`, ...HUMAN, ...changes });

async function imported(changes: JsonObject): Promise<string> {
  const outcome = await importHuman(changes);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message}`);
  return String(outcome.message.userId);
}

function newPasskey(changes: JsonObject = {}): JsonObject & { credentialId: string } {
  const { credentialId, publicKey } = createAuthenticator(siteOf(service));
  return {
    credentialId: Buffer.from(credentialId, "base64url").toString("base64"),
    publicKey: publicKey.toString("base64"),
    rpId: "localhost",
    ...changes,
  };
}

async function eventsOf(userId: string): Promise<unknown[]> {
  const rows = await service.db
    .selectFrom("events")
    .select(["type", "payload"])
    .where("aggregate_id", "=", userId)
    .orderBy("sequence")
    .execute();
  return rows.slice(1).map(({ type, payload }) => [type, payload]);
}

test("recovery codes and passkeys are stored with the user, and recorded without a secret", async () => {
  const passkeys = [
    newPasskey({ counter: 7, name: " Laptop ", userHandle: "b2xk", isBackupEligible: false }),
    newPasskey({ isBackupEligible: true }),
    newPasskey(),
  ];
  const recoveryCodes = ["abcd-efgh", "12345678", "x".repeat(64)];
  for (const code of recoveryCodes) service.secret(code);
  const id = await imported({ otpCode: OTP_SECRET, recoveryCodes, passkeys });
  const stored = await service.db
    .selectFrom("passkeys")
    .select(["id", "public_key", "counter", "name", "user_handle", "device_type", "backed_up"])
    .where("user_id", "=", id)
    .orderBy("name")
    .execute();
  const unhandled = { counter: 0n, user_handle: Buffer.alloc(0) };
  expect(stored).toMatchObject([
    { name: "Laptop", counter: 7n, user_handle: Buffer.from("old"), device_type: "singleDevice", backed_up: false },
    { name: "Passkey 2", ...unhandled, device_type: "multiDevice" },
    { name: "Passkey 3", ...unhandled, device_type: "unknown" },
  ]);
  const ids = passkeys.map(({ credentialId }) => Buffer.from(credentialId, "base64").toString("base64url"));
  expect(stored.map((passkey) => passkey.id)).toEqual(ids);
  expect(stored.map((passkey) => passkey.public_key.toString("base64"))).toEqual(
    passkeys.map(({ publicKey }) => publicKey),
  );
  const codes = await service.db.selectFrom("recovery_codes").select("hash").where("user_id", "=", id).execute();
  expect(codes.map(({ hash }) => hash.length)).toEqual([32, 32, 32]);
  expect(await eventsOf(id)).toEqual([
    ["user.human.email.verified", { email: "ada@example.com" }],
    ["user.human.recovery.codes.added", {}],
    ...ids.map((passkeyId) => ["user.human.passwordless.registered", { passkeyId }]),
  ]);
});

test("a user with a verified address and a passkey needs no initialization, one without does", async () => {
  const stateOf = async (changes: JsonObject) => {
    const id = await imported({ hashedPassword: {}, ...changes });
    const outcome = await caller.call("GetUserByID", { id });
    return outcome.ok && (outcome.message.user as JsonObject).state;
  };
  const verified = { email: "ada@example.com", isEmailVerified: true };
  expect(await stateOf({ email: verified, passkeys: [newPasskey()] })).toBe("USER_STATE_ACTIVE");
  expect(await stateOf({ email: verified })).toBe("USER_STATE_INITIAL");
  expect(await stateOf({ email: { email: "ada@example.com" }, passkeys: [newPasskey()] })).toBe("USER_STATE_INITIAL");
});

test("of two imports with one passkey at once, one arrives", async () => {
  const passkeys = [newPasskey()];
  const outcomes = await Promise.all([1, 2, 3].map(() => importHuman({ passkeys })));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  for (const outcome of outcomes) if (!outcome.ok) expect(outcome.reason).toBe("PASSKEY_TAKEN");
  await expectError(service.db, "grpc", () => importHuman({ passkeys }), "PASSKEY_TAKEN");
});

const withCodes = (recoveryCodes: string[]) => () => ({ otpCode: OTP_SECRET, recoveryCodes });
const withKey = (changes: JsonObject) => () => ({ passkeys: [newPasskey(changes)] });
/** CBOR of a map with one text. */
const TEXT_KEY = Buffer.from([0xa1, 0x01, 0x61, 0x78]).toString("base64");

test.each<[string, () => JsonObject, string]>([
  ["recovery codes without a secret", () => ({ recoveryCodes: ["abcd-efgh"] }), "recoveryCodes"],
  ["a code of 7 characters", withCodes(["abcd-efg"]), "recoveryCodes[0]"],
  ["a code of 65 characters", withCodes(["x".repeat(65)]), "recoveryCodes[0]"],
  ["a code with a dot", withCodes(["abcdefgh", "abcd.efgh"]), "recoveryCodes[1]"],
  ["a code twice, in another case", withCodes(["abcd-efgh", "ABCD EFGH"]), "recoveryCodes[1]"],
  ["51 codes", withCodes(Array.from({ length: 51 }, (_, n) => `code${1_000 + n}`)), "recoveryCodes"],
  ["no credential id", withKey({ credentialId: "" }), "passkeys[0].credentialId"],
  ["a long credential id", withKey({ credentialId: base64(1_024) }), "passkeys[0].credentialId"],
  ["no key", withKey({ publicKey: "" }), "passkeys[0].publicKey"],
  ["a key that is no COSE key", withKey({ publicKey: base64(77) }), "passkeys[0].publicKey"],
  ["a key with a text", withKey({ publicKey: TEXT_KEY }), "passkeys[0].publicKey"],
  ["a passkey of another domain", withKey({ rpId: "example.com" }), "passkeys[0].rpId"],
  ["a passkey without a domain", withKey({ rpId: "" }), "passkeys[0].rpId"],
  ["an invisible name", withKey({ name: "\u200b" }), "passkeys[0].name"],
  ["a long user handle", withKey({ userHandle: base64(65) }), "passkeys[0].userHandle"],
  ["a passkey twice", () => twice(newPasskey()), "passkeys[1].credentialId"],
  ["21 passkeys", () => ({ passkeys: Array.from({ length: 21 }, () => newPasskey()) }), "passkeys"],
])("%s is rejected", async (_what, toChanges, field) => {
  await expectError(service.db, "grpc", () => importHuman(toChanges()), "INVALID_ARGUMENT", [field]);
});
