import { createAuthenticator, FLAGS, type Use } from "../../support/browsers/passkey-authenticator.ts";
import {
  requestOptionsOf,
  siteOf,
  storePasskey,
  submitPasskey,
  toUserHandle,
} from "../../support/browsers/passkeys.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, eventsAfter, importAda, userOf, VISITED } from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createRecordedMetrics } from "../../support/telemetry/recorded-metrics.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";
const ADA = { email: { email: "ada@example.com", isEmailVerified: true }, password: PASSWORD };
const NETWORK = { network: expect.stringMatching(/^10\.1\.\d+\.0\/24$/) };
const REFUSED = "This passkey was not accepted. Please try again, or sign in another way.";
const VERIFIED = FLAGS.userPresent | FLAGS.userVerified;
/** A secret of one-time codes. */
const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

let names = 0;

let service: TestService;
let app: RelyingParty;
const metrics = createRecordedMetrics();
beforeAll(async () => {
  service = await startService("postgres", VISITED, { metrics });
  service.stopClock();
  for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
  app = await createRelyingParty(service);
});
afterAll(() => service?.close());

/** A user with a passkey. */
async function newUser(
  fields: object = {},
  passkey: { counter?: bigint; device_type?: "multiDevice"; backed_up?: boolean } = {},
) {
  const userName = `user-${++names}`;
  const userId = await importAda(service, { userName, ...ADA, ...fields });
  const authenticator = createAuthenticator(siteOf(service));
  await storePasskey(service, userId, authenticator, passkey);
  const userHandle = toUserHandle(userId);
  const use = (page: Page, changes: Use = {}) =>
    authenticator.get(requestOptionsOf(page).challenge, { userHandle, ...changes });
  return { userId, userName, authenticator, use };
}

async function openSignIn(person: Person = createPerson(service), parameters: Record<string, string> = {}) {
  const request = createRequest(app, parameters);
  return { person, request, page: await person.open(request.url) };
}

const passkeyOf = (id: string) =>
  service.db.selectFrom("passkeys").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

const isDone = ({ url }: Page) => url.searchParams.has("code");

test("a user signs in with a passkey, without a user name", async () => {
  const { userId, authenticator, use } = await newUser();
  const { sequence } = await userOf(service, userId);
  const { person, request, page } = await openSignIn();
  expect(requestOptionsOf(page)).toEqual({
    challenge: expect.stringMatching(/^[\w-]{64}$/),
    rpId: "localhost",
    userVerification: "required",
    timeout: 300_000,
    allowCredentials: [],
  });
  const done = await submitPasskey(person, page, use(page, { counter: 7 }));
  expect(metrics.checks).toEqual([["passkey", "success"]]);
  const tokens = await redeem(service, app, done.url, request);
  expect(tokens.claims()).toMatchObject({ sub: userId, amr: ["hwk", "user", "mfa"] });
  expect(await passkeyOf(authenticator.credentialId)).toMatchObject({ counter: 7n, backed_up: false });
  expect(await eventsAfter(service, userId, sequence)).toEqual([
    ["user.human.passwordless.check.succeeded", { passkeyId: authenticator.credentialId, ...NETWORK }],
    ["user.human.signed.in", { appId: app.id, methods: ["hwk", "user", "mfa"], ...NETWORK }],
  ]);
});

test("a counter that does not increase is rejected and recorded, because the passkey may have been copied", async () => {
  const { userId, authenticator, use } = await newUser({}, { counter: 9n });
  for (const counter of [9, 8, 0]) {
    const { sequence } = await userOf(service, userId);
    const { person, page } = await openSignIn();
    const refused = await submitPasskey(person, page, use(page, { counter }));
    expect([refused.status, refused.alert]).toEqual([422, REFUSED]);
    const events = await service.db
      .selectFrom("events")
      .select(["type", "payload", "editor_id"])
      .where("aggregate_id", "=", userId)
      .where("sequence", ">", sequence)
      .execute();
    const payload = { passkeyId: authenticator.credentialId, counter, storedCounter: 9, ...NETWORK };
    expect(events).toEqual([{ type: "user.human.passwordless.check.failed", payload, editor_id: null }]);
  }
  expect((await passkeyOf(authenticator.credentialId)).counter).toBe(9n);
  const { person, page } = await openSignIn();
  expect(isDone(await submitPasskey(person, page, use(page, { counter: 10 })))).toBe(true);
});

test("a challenge works once, even if the response is invalid", async () => {
  const { use } = await newUser();
  const { person, page } = await openSignIn();
  const wrong = await submitPasskey(person, page, use(page, { origin: "https://evil.example.net" }));
  expect(wrong.alert).toBe(REFUSED);
  expect((await submitPasskey(person, page, use(page))).alert).toBe(REFUSED);
  // The page in the response has a new challenge.
  expect(isDone(await submitPasskey(person, wrong, use(wrong)))).toBe(true);
});

test("a passkey that can be synchronized is a software key, and its backup state is stored", async () => {
  const { userId, authenticator, use } = await newUser({}, { device_type: "multiDevice", backed_up: false });
  const { person, request, page } = await openSignIn();
  const flags = VERIFIED | FLAGS.backupEligible | FLAGS.backedUp;
  const done = await submitPasskey(person, page, use(page, { flags }), { remember: "yes" });
  const tokens = await redeem(service, app, done.url, request);
  expect(tokens.claims()).toMatchObject({ sub: userId, amr: ["swk", "user", "mfa"] });
  expect(await passkeyOf(authenticator.credentialId)).toMatchObject({ backed_up: true });
});

test.each<[string, Use]>([
  ["for another origin", { origin: "https://evil.example.net" }],
  ["for another relying party", { rpId: "example.net" }],
  ["of a page within a page", { crossOrigin: true }],
  ["of a registration", { type: "webauthn.create" }],
  ["without verification of the user", { flags: FLAGS.userPresent }],
  ["without presence of the user", { flags: FLAGS.userVerified }],
  ["of a passkey that could not be backed up before", { flags: VERIFIED | FLAGS.backupEligible }],
  ["with the handle of another user", { userHandle: toUserHandle("01a1fe33-a078-7240-b421-836d837bb793") }],
  ["with a malformed handle", { userHandle: "AAAA" }],
  ["without a handle", { userHandle: "" }],
  ["of an unknown passkey", { id: "dW5rbm93bg" }],
])("a response %s is refused", async (_, changes) => {
  const { userId, use } = await newUser();
  const before = await userOf(service, userId);
  const { person, page } = await openSignIn();
  const response = use(page, changes);
  const refused = await submitPasskey(person, page, response);
  expect([refused.status, refused.title, refused.alert]).toEqual([422, expect.stringMatching(/^Sign in to /), REFUSED]);
  expect(await userOf(service, userId)).toEqual(before);
});

test("a signature of another passkey is rejected", async () => {
  const [{ authenticator, userId }, { authenticator: other }] = [await newUser(), await newUser()];
  const { person, page } = await openSignIn();
  const { challenge } = requestOptionsOf(page);
  const response = other.get(challenge, { id: authenticator.credentialId, userHandle: toUserHandle(userId) });
  expect((await submitPasskey(person, page, response)).alert).toBe(REFUSED);
});

test.each([
  "",
  "null",
  "{}",
  "[]",
  '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{}}',
  '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{"clientDataJSON":"bnVsbA","authenticatorData":"","signature":""}}',
  '{"id":1,"rawId":{},"type":"public-key","response":{"clientDataJSON":"é","authenticatorData":[],"signature":null}}',
])("a malformed response is refused: %s", async (response) => {
  const { person, page } = await openSignIn();
  const refused = await submitPasskey(person, page, response);
  expect([refused.status, refused.alert]).toEqual([422, REFUSED]);
});

test("the challenge of another sign-in is rejected", async () => {
  const { use } = await newUser();
  const [{ page: foreign }, { person, page }] = [await openSignIn(), await openSignIn()];
  expect((await submitPasskey(person, page, use(foreign))).alert).toBe(REFUSED);
  const forged = Buffer.alloc(48, 1).toString("base64url");
  expect((await submitPasskey(person, page, use({ ...page, text: forgedPage(forged) }))).alert).toBe(REFUSED);
});

const forgedPage = (challenge: string) => `data-options="{&quot;challenge&quot;:&quot;${challenge}&quot;}"`;

test("the user of another organization is rejected", async () => {
  const orgId = await service.createOrg("Elsewhere");
  const { userId, authenticator, use } = await newUser();
  const { person, page } = await openSignIn();
  const elsewhere = await createRelyingParty(service, { owner_id: orgId });
  const foreign = await person.open(createRequest(elsewhere).url);
  expect((await submitPasskey(person, foreign, use(foreign))).alert).toBe(REFUSED);
  expect(isDone(await submitPasskey(person, page, use(page)))).toBe(true);
  expect(await passkeyOf(authenticator.credentialId)).toMatchObject({ user_id: userId });
});

test.each(["DeactivateUser", "LockUser"] as const)("a user is refused after %s", async (rpc) => {
  const { userId, use } = await newUser();
  await call(service, rpc, { id: userId });
  const before = await userOf(service, userId);
  const { person, page } = await openSignIn();
  expect((await submitPasskey(person, page, use(page))).alert).toBe(REFUSED);
  expect(await userOf(service, userId)).toEqual(before);
});

test("of concurrent responses to one challenge one succeeds", async () => {
  const { use } = await newUser();
  const { person, page } = await openSignIn();
  const pages = await Promise.all(Array.from({ length: 8 }, () => submitPasskey(person, page, use(page))));
  expect(pages.filter(isDone)).toHaveLength(1);
});

test("failures from one address are limited, and a correct response takes back its own", async () => {
  const { use } = await newUser();
  const person = createPerson(service);
  const { page } = await openSignIn(person);
  const statuses: number[] = [];
  let last = page;
  for (let count = 0; count < 12; count++) {
    last = await submitPasskey(person, last, use(last, { origin: "https://evil.example.net" }));
    statuses.push(last.status);
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(422));
  expect(statuses).toContain(429);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  // Failures from all addresses together are not limited, so nobody can lock the user out.
  const { person: elsewhere, page: other } = await openSignIn();
  expect(isDone(await submitPasskey(elsewhere, other, use(other)))).toBe(true);
});

test("a form without its token has no effect", async () => {
  const { use } = await newUser();
  const { person, page } = await openSignIn();
  const refused = await submitPasskey(person, page, use(page), { token: "" });
  expect([refused.status, refused.alert]).toEqual([422, "This page was open for too long. Please sign in again."]);
});

test("a passkey replaces the one-time code, and not the other gates", async () => {
  const { use } = await newUser({ otpCode: OTP_SECRET, passwordChangeRequired: true });
  const { person, request, page } = await openSignIn();
  const gate = await submitPasskey(person, page, use(page));
  expect(gate.title).toBe("Choose a new password");
  const done = await person.submit(gate, { password: NEW_PASSWORD, repeat: NEW_PASSWORD });
  expect((await redeem(service, app, done.url, request)).claims()?.amr).toEqual(["hwk", "user", "mfa"]);
});

test("an address that is not verified is verified first", async () => {
  const { use } = await newUser({ email: { email: "ada@example.com" } });
  const { person, page } = await openSignIn();
  expect((await submitPasskey(person, page, use(page))).title).toBe("Confirm your email address");
});

test("a user who has to sign in again is asked for a passkey of this user, which needs no user handle", async () => {
  const [{ userName, authenticator, use }, { use: useOther }] = [await newUser(), await newUser()];
  const { person, page } = await openSignIn();
  await person.submit(page, { username: userName, password: PASSWORD });
  const { page: again } = await openSignIn(person, { prompt: "login" });
  const described = { type: "public-key", id: authenticator.credentialId, transports: ["internal"] };
  expect(requestOptionsOf(again).allowCredentials).toEqual([described]);
  const refused = await submitPasskey(person, again, useOther(again));
  expect([refused.status, refused.alert]).toEqual([
    422,
    `The application requires a different account. Please sign in as ${userName}.`,
  ]);
  expect(requestOptionsOf(refused).allowCredentials).toEqual([described]);
  expect(isDone(await submitPasskey(person, refused, use(refused, { userHandle: "" })))).toBe(true);
});
