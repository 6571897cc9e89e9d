import { parsePasswordHash } from "../../../src/passwords/modular-crypt-format.ts";
import { VECTORS } from "../../passwords/vectors.ts";
import { createAuthenticator, FLAGS, type TestAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import { requestOptionsOf, siteOf, submitPasskey, toUserHandle } from "../../support/browsers/passkeys.ts";
import { createPerson } from "../../support/browsers/person.ts";
import { importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const SECRET = "gezd gnbv gy3t qojq gezd gnbv gy3t qojq";
const WRONG = "This code is incorrect or has already been used. Please wait for the next one.";
const REFUSED = "This passkey was not accepted. Please try again, or sign in another way.";
const VERIFIED_USER = FLAGS.userPresent | FLAGS.userVerified;

/** A hash of each of these schemes, with its password. */
const OTHER_HASHES = ["salted digest", "HMAC", "FusionAuth", "Better Auth", "bcrypt-sha256"].map((scheme) => {
  const found = VECTORS.find(({ hash, password }) => {
    const parsed = parsePasswordHash(hash);
    return parsed.ok && parsed.hash.scheme === scheme && password !== "";
  });
  if (found === undefined) throw new Error(`there is no hash of ${scheme}`);
  return [scheme, found.password, found.hash] as const;
});

/** A hash as each of these programs writes it, with its password. */
const FOREIGN_HASHES = [
  'Spring Security 6.3: DelegatingPasswordEncoder("pbkdf2',
  "slappasswd",
  "a test of ASP.NET",
  "Werkzeug",
  "doveadm",
  "389 Directory",
].map((program) => {
  const found = VECTORS.find(({ madeBy }) => madeBy.startsWith(program));
  if (found === undefined) throw new Error(`there is no hash of ${program}`);
  return [program, found.password, found.hash] as const;
});

let names = 0;

describe("an imported user signs in", () => {
  let service: TestService;
  let app: RelyingParty;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    for (const secret of [PASSWORD, SECRET]) service.secret(secret);
    app = await createRelyingParty(service);
  });
  afterAll(() => service?.close());

  async function enter(username: string, password = PASSWORD) {
    const person = createPerson(service);
    const request = createRequest(app);
    return { person, request, page: await person.submit(await person.open(request.url), { username, password }) };
  }

  test("with each recovery code of the other system once, as it is entered there", async () => {
    const [userName, other] = [`user-${++names}`, `user-${++names}`];
    const codes = ["r4nd0mC0de", "12345678", "AbCdE-fGhIj"];
    const fields = { ...VERIFIED, password: PASSWORD, otpCode: SECRET };
    const userId = await importAda(service, { userName, ...fields, recoveryCodes: codes });
    await importAda(service, { userName: other, ...fields, recoveryCodes: ["of0therUser"] });
    for (const code of ["r4nd0mc0de", "1234 5678", "abcdefghij"]) {
      const { person, request, page } = await enter(userName);
      expect((await person.submit(page, { code: "of0therUser" })).alert).toBe(WRONG);
      const done = await person.submit(page, { code });
      expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({ sub: userId });
      const again = await enter(userName);
      expect((await again.person.submit(again.page, { code })).alert).toBe(WRONG);
    }
  });

  test.each([...OTHER_HASHES, ...FOREIGN_HASHES])(
    "with the password of the other system, whose %s is replaced at once",
    async (scheme, password, value) => {
      const userName = `user-${++names}`;
      service.secret(value);
      const userId = await importAda(service, { userName, ...VERIFIED, hashedPassword: { value } });
      const { person, page: refused } = await enter(userName, `${password}x`);
      expect(refused.url.searchParams.has("code")).toBe(false);
      expect(await hashOf(userId)).toBe(value);
      const request = createRequest(app);
      const done = await person.submit(await person.open(request.url), { username: userName, password });
      expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({ sub: userId });
      expect([scheme, await hashOf(userId)]).toEqual([scheme, expect.stringMatching(/^\$2b\$/)]);
    },
  );

  const hashOf = async (userId: string) => (await userOf(service, userId)).password_hash;

  async function importPasskey(passkey: object = {}) {
    const authenticator = createAuthenticator(siteOf(service));
    const credentialId = Buffer.from(authenticator.credentialId, "base64url").toString("base64");
    const publicKey = authenticator.publicKey.toString("base64");
    const passkeys = [{ credentialId, publicKey, rpId: service.config.webauthnRpId, ...passkey }];
    const userName = `user-${++names}`;
    return { authenticator, userId: await importAda(service, { userName, ...VERIFIED, passkeys }) };
  }

  async function use(authenticator: TestAuthenticator, changes: object) {
    const person = createPerson(service);
    const request = createRequest(app);
    const page = await person.open(request.url);
    const response = authenticator.get(requestOptionsOf(page).challenge, changes);
    return { request, page: await submitPasskey(person, page, response) };
  }

  const HANDLE = Buffer.from("user 4711 of the other system").toString("base64url");
  const BASE64 = Buffer.from(HANDLE, "base64url").toString("base64");
  const ELIGIBLE = VERIFIED_USER | FLAGS.backupEligible;

  test.each([
    ["with the user handle that was imported", { userHandle: BASE64 }, { userHandle: HANDLE }, "singleDevice"],
    ["with any user handle, if none was imported", {}, { userHandle: HANDLE }, "singleDevice"],
    ["synchronized, if that was not imported", {}, { userHandle: HANDLE, flags: ELIGIBLE }, "multiDevice"],
    [
      "synchronized, as it was imported",
      { isBackupEligible: true },
      { userHandle: HANDLE, flags: ELIGIBLE },
      "multiDevice",
    ],
    ["with a counter that increases", { counter: 41 }, { userHandle: HANDLE, counter: 42 }, "singleDevice"],
  ])("with a passkey: %s", async (_what, passkey, changes, deviceType) => {
    const { authenticator, userId } = await importPasskey(passkey);
    const { request, page } = await use(authenticator, changes);
    expect((await redeem(service, app, page.url, request)).claims()).toMatchObject({ sub: userId });
    const stored = await service.db
      .selectFrom("passkeys")
      .select("device_type")
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({ device_type: deviceType });
    // From then on, it is compared.
    const flags = deviceType === "multiDevice" ? VERIFIED_USER : ELIGIBLE;
    const refused = await use(authenticator, { ...changes, counter: 1_000, flags });
    expect(refused.page.alert).toBe(REFUSED);
  });

  test.each<[string, object, (userId: string) => object]>([
    ["with another user handle", { userHandle: BASE64 }, (userId) => ({ userHandle: toUserHandle(userId) })],
    ["without a user handle", {}, () => ({})],
    ["with a counter that does not increase", { counter: 42 }, () => ({ userHandle: HANDLE, counter: 42 })],
    [
      "synchronized, if it was imported as bound to the device",
      { isBackupEligible: false },
      () => ({ userHandle: HANDLE, flags: ELIGIBLE }),
    ],
  ])("not with a passkey %s", async (_what, passkey, toChanges) => {
    const { authenticator, userId } = await importPasskey(passkey);
    const { page } = await use(authenticator, toChanges(userId));
    expect(page.alert).toBe(REFUSED);
  });
});
