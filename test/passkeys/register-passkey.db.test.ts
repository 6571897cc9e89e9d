import { randomBytes, randomUUID } from "node:crypto";
import { beginPasskey } from "../../src/passkeys/begin-passkey.ts";
import type { PasskeySite } from "../../src/passkeys/ceremony.ts";
import type { PasskeyCode } from "../../src/passkeys/passkey-code.ts";
import { type RegisterPasskeyParts, registerPasskey } from "../../src/passkeys/register-passkey.ts";
import { createAuthenticator, type Deviation, FLAGS } from "../support/browsers/passkey-authenticator.ts";
import { type Caller, createCaller } from "../support/clients/callers.ts";
import { HUMAN } from "../support/clients/requests.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { outboxOf } from "../support/messages/outbox-of.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const SITE = { origin: "https://id.example.com", rpId: "example.com" };
const { userPresent, userVerified, backupEligible, backedUp, attested } = FLAGS;

const ACCEPTED: readonly { title: string; deviation: Deviation; stored: object }[] = [
  { title: "bound to one device", deviation: {}, stored: { device_type: "singleDevice", backed_up: false } },
  {
    title: "that may be backed up",
    deviation: { flags: userPresent | userVerified | backupEligible | attested },
    stored: { device_type: "multiDevice", backed_up: false },
  },
  {
    title: "that is backed up",
    deviation: { flags: userPresent | userVerified | backupEligible | backedUp | attested },
    stored: { device_type: "multiDevice", backed_up: true },
  },
  { title: "with an unrequested attestation statement", deviation: { selfAttested: true }, stored: {} },
  { title: "with the longest id", deviation: { idBytes: 1_023 }, stored: {} },
];

const REFUSED: readonly { title: string; deviation: Deviation }[] = [
  { title: "of another origin", deviation: { origin: "https://evil.example.net" } },
  { title: "of another scheme", deviation: { origin: "http://id.example.com" } },
  { title: "of another port", deviation: { origin: "https://id.example.com:8443" } },
  { title: "of the domain itself rather than the page's host", deviation: { origin: "https://example.com" } },
  { title: "of another relying party", deviation: { rpId: "example.net" } },
  { title: "of the page's host as relying party", deviation: { rpId: "id.example.com" } },
  { title: "made in a frame of another origin", deviation: { crossOrigin: true } },
  { title: "to an authentication", deviation: { type: "webauthn.get" } },
  { title: "without verification of the user", deviation: { flags: userPresent | attested } },
  { title: "without presence of the user", deviation: { flags: userVerified | attested } },
  {
    title: "backed up but not eligible for backup",
    deviation: { flags: userPresent | userVerified | backedUp | attested },
  },
  { title: "without a credential", deviation: { flags: userPresent | userVerified } },
  { title: "with an algorithm that was not offered", deviation: { algorithm: -48 } },
  { title: "with an id that is too long", deviation: { idBytes: 1_024 } },
  { title: "with an empty id", deviation: { idBytes: 0 } },
];

let service: TestService;
let caller: Caller;
let parts: RegisterPasskeyParts & PasskeySite;
beforeAll(async () => {
  service = await startService("postgres");
  caller = createCaller("rest", service, service.adminToken);
  const { db } = service;
  const outbox = outboxOf(service);
  const clock = () => new Date(Date.now() + service.clockOffsetMs);
  parts = { db, rpId: SITE.rpId, rpName: "Acme", relyingParty: { id: SITE.rpId, origin: SITE.origin }, clock, outbox };
});
afterAll(async () => {
  caller?.close();
  await service?.close();
});

let count = 0;

/** Imports a user and returns the code of the link. */
async function newCode(): Promise<PasskeyCode> {
  const user = { userName: `ada-${++count}`, ...HUMAN, requestPasswordlessRegistration: true };
  const outcome = await caller.call("ImportHumanUser", user);
  if (!outcome.ok) throw new Error(outcome.message);
  const { link } = outcome.message.passwordlessRegistration as { link: string };
  const [id = ""] = new URL(link).searchParams.get("code")?.split(".") ?? [];
  return { orgId: service.orgId, id, userId: String(outcome.message.userId) };
}

async function challengeFor(code: PasskeyCode): Promise<string> {
  const options = await beginPasskey(parts, code);
  if (options === undefined) throw new Error("the link is over");
  return options.challenge;
}

const codeOf = ({ id }: PasskeyCode) =>
  service.db.selectFrom("codes").select(["used_at", "challenge"]).where("id", "=", id).executeTakeFirstOrThrow();
const passkeysOf = ({ userId }: PasskeyCode) =>
  service.db.selectFrom("passkeys").selectAll().where("user_id", "=", userId).execute();
const userOf = ({ userId }: PasskeyCode) =>
  service.db.selectFrom("users").select(["sequence", "changed_at"]).where("id", "=", userId).executeTakeFirstOrThrow();
const eventsOf = ({ userId }: PasskeyCode) =>
  service.db.selectFrom("events").selectAll().where("aggregate_id", "=", userId).orderBy("sequence").execute();

/** Expects that nothing is stored, and that the link still works. */
async function expectNothingStored(code: PasskeyCode): Promise<void> {
  expect(await passkeysOf(code)).toEqual([]);
  expect(await codeOf(code)).toEqual({ used_at: null, challenge: null });
  expect((await eventsOf(code)).map(({ type }) => type)).not.toContain("user.human.passwordless.registered");
  expect(await registerPasskey(parts, code, createAuthenticator(SITE).create(await challengeFor(code)))).toBe(
    "registered",
  );
}

test("requests a passkey with user verification, and binds the challenge to the code", async () => {
  const code = await newCode();
  const options = await beginPasskey(parts, code);
  expect(options).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rp: { id: "example.com", name: "Acme" },
    user: {
      id: Buffer.from(code.userId.replaceAll("-", ""), "hex").toString("base64url"),
      name: `ada-${count}`,
      displayName: "Ada Lovelace",
    },
    attestation: "none",
    authenticatorSelection: { residentKey: "preferred", requireResidentKey: false, userVerification: "required" },
    excludeCredentials: [],
    extensions: { credProps: true },
    hints: [],
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
    timeout: 300_000,
  });
  expect(await codeOf(code)).toEqual({ used_at: null, challenge: options?.challenge });
});

test("names a passkey after the highest number among the user's passkeys", async () => {
  const code = await newCode();
  for (const [index, name] of ["Passkey 2", "Passkey 12", "Laptop 99"].entries()) {
    const { orgId: org_id, userId: user_id } = code;
    const key = { public_key: Buffer.alloc(1), counter: 0n, device_type: "singleDevice" as const };
    const passkey = { ...key, transports: [], aaguid: code.id, backed_up: false, created_at: new Date() };
    await service.db
      .insertInto("passkeys")
      .values({ ...passkey, org_id, user_id, id: `${code.id}-${index}`, name })
      .execute();
  }
  const authenticator = createAuthenticator(SITE);
  await registerPasskey(parts, code, authenticator.create(await challengeFor(code)));
  const names = (await passkeysOf(code)).map(({ name }) => name);
  expect(names).toContain("Passkey 13");
});

test.each(ACCEPTED)("registers a passkey $title", async ({ deviation, stored }) => {
  const code = await newCode();
  const { sequence } = await userOf(code);
  service.clockOffsetMs += 1_000;
  const authenticator = createAuthenticator(SITE, deviation);
  expect(await registerPasskey(parts, code, authenticator.create(await challengeFor(code)))).toBe("registered");
  const { changed_at, ...user } = await userOf(code);
  expect(user).toEqual({ sequence: sequence + 1n });
  expect(await passkeysOf(code)).toEqual([
    {
      org_id: code.orgId,
      id: authenticator.credentialId,
      user_id: code.userId,
      public_key: authenticator.publicKey,
      counter: 0n,
      last_used_at: null,
      user_handle: null,
      transports: ["internal"],
      aaguid: "00000000-0000-0000-0000-000000000000",
      device_type: "singleDevice",
      backed_up: false,
      name: "Passkey 1",
      created_at: changed_at,
      ...stored,
    },
  ]);
  expect(await codeOf(code)).toEqual({ used_at: changed_at, challenge: null });
  expect((await eventsOf(code)).at(-1)).toMatchObject({
    owner_id: code.orgId,
    sequence: sequence + 1n,
    type: "user.human.passwordless.registered",
    editor_id: code.userId,
    created_at: changed_at,
    payload: { passkeyId: authenticator.credentialId },
  });
  expect(await beginPasskey(parts, code)).toBeUndefined();
});

test.each(REFUSED)("rejects a response $title", async ({ deviation }) => {
  const code = await newCode();
  expect(
    await registerPasskey(parts, code, createAuthenticator(SITE, deviation).create(await challengeFor(code))),
  ).toBe("refused");
  await expectNothingStored(code);
});

test("rejects a passkey with an invalid public key", async () => {
  const code = await newCode();
  const authenticator = createAuthenticator(SITE, { algorithm: -8 });
  expect(await registerPasskey(parts, code, authenticator.create(await challengeFor(code)))).toBe("refused");
  await expectNothingStored(code);
});

test("rejects a response whose id is not the id of its passkey", async () => {
  const code = await newCode();
  const answer = createAuthenticator(SITE).create(await challengeFor(code));
  expect(await registerPasskey(parts, code, { ...answer, id: "AAAA", rawId: "AAAA" })).toBe("refused");
  await expectNothingStored(code);
});

test("rejects a malformed response", async () => {
  const code = await newCode();
  const right = createAuthenticator(SITE).create("x");
  const clientData = (value: unknown) => ({
    clientDataJSON: Buffer.from(JSON.stringify(value)).toString("base64url"),
  });
  for (const part of [
    { attestationObject: "" },
    { attestationObject: "AAAA" },
    { attestationObject: randomBytes(300).toString("base64url") },
    // Arrays nested deeper than the stack allows.
    { attestationObject: Buffer.alloc(20_000, 0x81).toString("base64url") },
    { attestationObject: right.response.attestationObject.slice(0, 200) },
    { clientDataJSON: "" },
    { clientDataJSON: "e30" },
    clientData(null),
    clientData([]),
  ]) {
    const { response } = createAuthenticator(SITE).create(await challengeFor(code));
    expect(await registerPasskey(parts, code, { ...right, response: { ...response, ...part } })).toBe("refused");
  }
  await expectNothingStored(code);
});

test("accepts a response only to the challenge of its own link", async () => {
  const [one, other] = [await newCode(), await newCode()];
  const authenticator = createAuthenticator(SITE);
  const challenge = await challengeFor(one);
  await beginPasskey(parts, other);
  expect(await registerPasskey(parts, other, authenticator.create(challenge))).toBe("refused");
  await expectNothingStored(other);
  expect(await registerPasskey(parts, one, authenticator.create(challenge))).toBe("registered");
});

test("accepts one response per challenge, whether valid or not", async () => {
  const code = await newCode();
  const challenge = await challengeFor(code);
  const answer = createAuthenticator(SITE).create(challenge);
  const wrong = createAuthenticator(SITE, { origin: "https://evil.example.net" }).create(challenge);
  expect(await registerPasskey(parts, code, wrong)).toBe("refused");
  expect(await registerPasskey(parts, code, answer)).toBe("not-begun");
  const right = createAuthenticator(SITE).create(await challengeFor(code));
  expect(await registerPasskey(parts, code, right)).toBe("registered");
  expect(await registerPasskey(parts, code, right)).toBe("link-over");
  expect(await passkeysOf(code)).toHaveLength(1);
});

test("accepts no response if no registration was started, or if it was started again", async () => {
  const code = await newCode();
  expect(await registerPasskey(parts, code, createAuthenticator(SITE).create(""))).toBe("not-begun");
  const challenge = await challengeFor(code);
  await beginPasskey(parts, code);
  expect(await registerPasskey(parts, code, createAuthenticator(SITE).create(challenge))).toBe("refused");
  await expectNothingStored(code);
});

test("does not register the same passkey twice, and leaves the link usable", async () => {
  const [one, other] = [await newCode(), await newCode()];
  const authenticator = createAuthenticator(SITE);
  expect(await registerPasskey(parts, one, authenticator.create(await challengeFor(one)))).toBe("registered");
  expect(await registerPasskey(parts, other, authenticator.create(await challengeFor(other)))).toBe("taken");
  await expectNothingStored(other);
  expect(await passkeysOf(one)).toMatchObject([{ public_key: authenticator.publicKey }]);
});

test("lists the passkeys that the user has, so that a device does not create a second one", async () => {
  const [one, other] = [await newCode(), await newCode()];
  const { credentialId, create } = createAuthenticator(SITE);
  await registerPasskey(parts, one, create(await challengeFor(one)));
  const next = { ...one, id: randomUUID() };
  await insertCode(next);
  expect((await beginPasskey(parts, next))?.excludeCredentials).toEqual([
    { id: credentialId, transports: ["internal"], type: "public-key" },
  ]);
  expect((await beginPasskey(parts, other))?.excludeCredentials).toEqual([]);
});

test("accepts only the user's last link", async () => {
  const code = await newCode();
  const challenge = await challengeFor(code);
  const next = { ...code, id: randomUUID() };
  await insertCode(next);
  expect(await registerPasskey(parts, code, createAuthenticator(SITE).create(challenge))).toBe("link-over");
  expect(await beginPasskey(parts, code)).toBeUndefined();
  await expectNothingStored(next);
});

test("accepts a link for one hour", async () => {
  const code = await newCode();
  const challenge = await challengeFor(code);
  service.clockOffsetMs += 3_599_000;
  await beginPasskey(parts, code);
  service.clockOffsetMs += 2_000;
  expect(await beginPasskey(parts, code)).toBeUndefined();
  expect(await registerPasskey(parts, code, createAuthenticator(SITE).create(challenge))).toBe("link-over");
  service.clockOffsetMs -= 2_000;
  await registerPasskey(parts, code, createAuthenticator(SITE).create(challenge));
  await expectNothingStored(code);
});

test("accepts a code only for its own user, organization and kind", async () => {
  const [one, other] = [await newCode(), await newCode()];
  expect(await beginPasskey(parts, { ...one, userId: other.userId })).toBeUndefined();
  expect(await beginPasskey(parts, { ...one, orgId: service.instanceId })).toBeUndefined();
  await service.db.updateTable("codes").set({ kind: "initialization" }).where("id", "=", one.id).execute();
  expect(await beginPasskey(parts, one)).toBeUndefined();
});

test("never sets an earlier time than the last change", async () => {
  const code = await newCode();
  const { changed_at } = await userOf(code);
  service.clockOffsetMs -= 60_000;
  expect(await registerPasskey(parts, code, createAuthenticator(SITE).create(await challengeFor(code)))).toBe(
    "registered",
  );
  service.clockOffsetMs += 60_000;
  expect(await userOf(code)).toMatchObject({ changed_at });
  expect(await passkeysOf(code)).toMatchObject([{ created_at: changed_at }]);
  expect((await eventsOf(code)).at(-1)).toMatchObject({ created_at: changed_at });
});

test("registers one passkey for twenty concurrent responses to one challenge", async () => {
  const code = await newCode();
  const challenge = await challengeFor(code);
  const responses = Array.from({ length: 20 }, () => createAuthenticator(SITE).create(challenge));
  const outcomes = await Promise.all(responses.map((answer) => registerPasskey(parts, code, answer)));
  expect(outcomes.filter((outcome) => outcome === "registered")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "not-begun" || outcome === "link-over")).toHaveLength(19);
  const registered = responses[outcomes.indexOf("registered")];
  expect(await passkeysOf(code)).toMatchObject([{ id: registered?.id }]);
  expect((await eventsOf(code)).filter(({ type }) => type === "user.human.passwordless.registered")).toHaveLength(1);
});

test("verifies one of twenty concurrent wrong responses to one challenge", async () => {
  const code = await newCode();
  const wrong = createAuthenticator(SITE, { rpId: "example.net" }).create(await challengeFor(code));
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => registerPasskey(parts, code, wrong)));
  expect(outcomes.sort()).toEqual([...Array(19).fill("not-begun"), "refused"]);
});

test("stores one of two concurrent correct responses", async () => {
  const code = await newCode();
  const start = async () => registerPasskey(parts, code, createAuthenticator(SITE).create(await challengeFor(code)));
  const transaction = await service.db.startTransaction().execute();
  const running: Promise<string>[] = [];
  try {
    await transaction.selectFrom("users").select("id").where("id", "=", code.userId).forUpdate().execute();
    for (let number = 1; number <= 2; number++) {
      running.push(start());
      await untilBlocked(service.db, number);
    }
    await beginPasskey(parts, code);
  } finally {
    await transaction.commit().execute();
  }
  expect((await Promise.all(running)).sort()).toEqual(["link-over", "registered"]);
  expect(await passkeysOf(code)).toHaveLength(1);
  expect(await codeOf(code)).toEqual({ used_at: expect.any(Date), challenge: null });
});

test("registers one passkey for concurrent registrations with one link", async () => {
  for (let round = 0; round < 25; round++) {
    const code = await newCode();
    const attempt = async () => {
      const options = await beginPasskey(parts, code);
      return options && registerPasskey(parts, code, createAuthenticator(SITE).create(options.challenge));
    };
    const outcomes = await Promise.all([attempt(), attempt(), attempt()]);
    // If each replaced the challenge of the others, no response matches, and the link still works.
    if (!outcomes.includes("registered")) outcomes.push(await attempt());
    expect(outcomes.filter((outcome) => outcome === "registered")).toHaveLength(1);
    expect(await passkeysOf(code)).toHaveLength(1);
    const sequences = (await eventsOf(code)).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_, index) => BigInt(index + 1)));
  }
});

test("registers a passkey once for two concurrent links", async () => {
  for (let round = 0; round < 25; round++) {
    const codes = [await newCode(), await newCode()];
    const authenticator = createAuthenticator(SITE);
    const responses = await Promise.all(codes.map(async (code) => authenticator.create(await challengeFor(code))));
    const outcomes = await Promise.all(
      codes.map((code, index) => registerPasskey(parts, code, responses[index] ?? authenticator.create(""))),
    );
    expect(outcomes.sort()).toEqual(["registered", "taken"]);
  }
});

/** A later link of the same user. */
async function insertCode({ orgId, id, userId }: PasskeyCode): Promise<void> {
  const now = Date.now() + service.clockOffsetMs;
  await service.db
    .insertInto("codes")
    .values({
      org_id: orgId,
      id,
      user_id: userId,
      kind: "passkey",
      secret_hash: randomBytes(32),
      digits_hash: null,
      digits_key: null,
      created_at: new Date(now),
      expires_at: new Date(now + 3_600_000),
      used_at: null,
      recipient: null,
      sequence: 100n,
      challenge: null,
    })
    .execute();
}
