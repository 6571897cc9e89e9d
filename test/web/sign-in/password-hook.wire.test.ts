import { Webhook } from "standardwebhooks";
import { LIMITS } from "../../../src/limits.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, eventsAfter, importAda, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { until } from "../../support/until.ts";
import {
  createTestPasswordHook,
  type HookResponse,
  startPasswordHook,
  type TestHook,
} from "../../support/webhooks/password-hook.ts";

/** Shorter than a new password may be. */
const PASSWORD = "old №42";
const OTHER = "another password of the earlier system";
const FAILED = "Email, user name or password is incorrect.";
const UNAVAILABLE = "Signing in is not possible at the moment. Please try again in a few minutes.";

let hook: TestHook;
beforeAll(async () => {
  hook = await startPasswordHook();
});
afterAll(() => hook?.close());
beforeEach(() => {
  hook.asked.length = 0;
  hook.respond = ({ password }) => ({ valid: password === PASSWORD });
});

async function start(environment: Record<string, string> = {}) {
  const service = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true", ...environment });
  service.secret(OTHER);
  service.stopClock();
  return { service, app: await createRelyingParty(service) };
}

async function open(app: RelyingParty, person: Person) {
  const request = createRequest(app);
  return { request, page: await person.open(request.url) };
}

const isSignedIn = ({ url }: Page) => url.searchParams.get("code") !== null;

/** Holds the responses of the hook until `release`. */
function holdResponses(response: HookResponse = { valid: true }) {
  const released = Promise.withResolvers<void>();
  hook.respond = async () => {
    await released.promise;
    return response;
  };
  return { release: () => released.resolve() };
}

let service: TestService;
let app: RelyingParty;
let signingKey: string;
beforeAll(async () => {
  ({ service, app } = await start());
  signingKey = await createTestPasswordHook(service, service.orgId, hook.url);
});
afterAll(() => service?.close());

async function attempt(username: string, password: string, person = createPerson(service)): Promise<Page> {
  const { page } = await open(app, person);
  return await person.submit(page, { username, password });
}

test("the password of the earlier system is stored at the first sign-in, and the hook is not asked again", async () => {
  const externalId = { key: "external_id", value: Buffer.from("auth0|ada").toString("base64") };
  const subject = "auth0|sub-of-ada";
  const id = await importAda(service, { userName: "Ada", ...VERIFIED, subject, metadata: [externalId] });
  const { sequence } = await userOf(service, id);
  const person = createPerson(service);
  const { request, page } = await open(app, person);
  const { url } = await person.submit(page, { username: "ada", password: PASSWORD });
  expect((await redeem(service, app, url, request)).claims()).toMatchObject({ sub: subject, amr: ["pwd"] });

  const [asked, ...others] = hook.asked;
  if (asked === undefined || others.length > 0) throw new Error("the hook was not asked once");
  const { headers, body, user, password } = asked;
  expect(new Webhook(signingKey).verify(body, headers as Record<string, string>)).toMatchObject({
    type: "password.check",
    data: { password: PASSWORD },
  });
  const email = "ada@example.com";
  expect(user).toEqual({
    ...{ id, resourceOwner: service.orgId, subject, externalId: "auth0|ada", userName: "Ada" },
    ...{ email, isEmailVerified: true },
  });
  expect(password).toBe(PASSWORD);

  expect(await userOf(service, id)).toMatchObject({
    password_hash: expect.stringMatching(/^\$2b\$04\$/),
    password_change_required: false,
    password_changed_at: expect.any(Date),
    initialized: true,
  });
  expect((await eventsAfter(service, id, sequence)).slice(0, 2)).toEqual([
    ["user.human.password.imported", { changeRequired: false }],
    ["user.human.password.check.succeeded", { failures: 0, network: expect.stringMatching(/\/24$/) }],
  ]);
  hook.respond = () => 500;
  expect(isSignedIn(await attempt("ada", PASSWORD))).toBe(true);
  expect((await attempt("ada", OTHER)).alert).toBe(FAILED);
  expect(hook.asked).toHaveLength(1);
});

test("a wrong password counts like any other", async () => {
  const id = await importAda(service, { userName: "grace", ...VERIFIED });
  const refused = await attempt("grace", OTHER);
  expect([refused.status, refused.alert]).toEqual([422, FAILED]);
  const { password_hash } = await userOf(service, id);
  expect(password_hash).toBeNull();
  const failed = service.db.selectFrom("events").select("payload").where("aggregate_id", "=", id);
  expect(await failed.where("type", "=", "user.human.password.check.failed").execute()).toEqual([
    { payload: { failures: 1, knownDevice: false, network: expect.stringMatching(/\/24$/) } },
  ]);
});

test("two sign-ins at once store one password", async () => {
  const id = await importAda(service, { userName: "hedy", ...VERIFIED });
  const { sequence } = await userOf(service, id);
  const held = holdResponses();
  const attempts = [attempt("hedy", PASSWORD), attempt("hedy", PASSWORD)];
  await until("both are asked", () => hook.asked.length === 2);
  held.release();
  expect((await Promise.all(attempts)).map(isSignedIn)).toEqual([true, true]);
  const types = (await eventsAfter(service, id, sequence)).map(([type]) => type);
  expect(types.filter((type) => type === "user.human.password.imported")).toHaveLength(1);
  expect(types.filter((type) => type === "user.human.password.check.succeeded")).toHaveLength(2);
});

test("a password that is set meanwhile is kept, and decides", async () => {
  const id = await importAda(service, { userName: "lise", ...VERIFIED });
  const held = holdResponses();
  const attempts = [attempt("lise", PASSWORD), attempt("lise", OTHER)];
  await until("both are asked", () => hook.asked.length === 2);
  await call(service, "SetHumanPassword", { userId: id, password: OTHER, noChangeRequired: true });
  const { password_hash } = await userOf(service, id);
  held.release();
  const [first, second] = await Promise.all(attempts);
  expect(first?.alert).toBe(FAILED);
  expect(second && isSignedIn(second)).toBe(true);
  expect(await userOf(service, id)).toMatchObject({ password_hash });
});

test("a password that the earlier system wants to be changed is changed at once", async () => {
  await importAda(service, { userName: "temporary", ...VERIFIED });
  hook.respond = () => ({ valid: true, passwordChangeRequired: true });
  const person = createPerson(service);
  const page = await attempt("temporary", PASSWORD, person);
  expect(page.title).toBe("Choose a new password");
  expect(isSignedIn(await person.submit(page, { password: OTHER, repeat: OTHER }))).toBe(true);
  expect(isSignedIn(await attempt("temporary", OTHER))).toBe(true);
  expect(hook.asked).toHaveLength(1);
});

test("an unverified address is confirmed after the password, as always", async () => {
  await importAda(service, { userName: "unverified" });
  hook.respond = () => ({ valid: true });
  expect((await attempt("unverified", PASSWORD)).title).toBe("Confirm your email address");
  expect(hook.asked).toMatchObject([{ user: { isEmailVerified: false } }]);
});

test("the hook is asked only about active users without a password, and only what could be stored", async () => {
  await importAda(service, { userName: "with-password", ...VERIFIED, password: OTHER });
  const ids = await Promise.all(
    ["inactive", "locked", "owner-of-all", "none"].map((userName) => importAda(service, { userName, ...VERIFIED })),
  );
  const [inactive = "", locked = "", owner = ""] = ids;
  await call(service, "DeactivateUser", { id: inactive });
  await call(service, "LockUser", { id: locked });
  // Whoever controls the hook of the organization could otherwise sign in as an owner of the instance.
  await call(service, "AddIAMMember", { userId: owner, roles: ["INSTANCE_OWNER"] });
  const other = await service.createOrg("Other");
  await call(service, "ImportHumanUser", foreigner(), { "x-service-orgid": other });
  hook.respond = () => ({ valid: true });
  const attempts = [
    ...["with-password", "inactive", "locked", "owner-of-all", "foreigner", "nobody"].map((name) =>
      attempt(name, PASSWORD),
    ),
    ...["", "a".repeat(73)].map((password) => attempt("none", password)),
  ];
  const pages = await Promise.all(attempts);
  expect(pages.map(({ status, alert }) => [status, alert])).toEqual(pages.map(() => [422, FAILED]));
  expect(hook.asked).toEqual([]);
  expect(isSignedIn(await attempt("none", PASSWORD))).toBe(true);
});

const foreigner = () => ({
  userName: "foreigner",
  profile: { firstName: "Ada", lastName: "Lovelace" },
  ...VERIFIED,
});

test("a role that is granted meanwhile, or a deactivation, rejects the password", async () => {
  const promoted = await importAda(service, { userName: "promoted", ...VERIFIED });
  const deactivated = await importAda(service, { userName: "deactivated", ...VERIFIED });
  const held = holdResponses();
  const attempts = [attempt("promoted", PASSWORD), attempt("deactivated", PASSWORD)];
  await until("both are asked", () => hook.asked.length === 2);
  await call(service, "AddIAMMember", { userId: promoted, roles: ["INSTANCE_OWNER"] });
  await call(service, "DeactivateUser", { id: deactivated });
  held.release();
  for (const { alert } of await Promise.all(attempts)) expect(alert).toBe(FAILED);
  for (const id of [promoted, deactivated]) expect((await userOf(service, id)).password_hash).toBeNull();
});

test("without a clear response, nothing is stored, and the page asks to try again later", async () => {
  const responses: Record<string, HookResponse> = {
    "an error": 500,
    "another success": 204,
    "a redirect": 302,
    "no decision": {},
    "a text instead of a boolean": { valid: "true" },
    "too much text": { valid: true, text: "x".repeat(70_000) },
  };
  hook.respond = ({ user }) => responses[user.userName] ?? { valid: true };
  const names = Object.keys(responses);
  const ids = await Promise.all(names.map((userName) => importAda(service, { userName, ...VERIFIED })));
  const pages = await Promise.all(names.map((name) => attempt(name, OTHER)));
  for (const [index, { status, alert, headers }] of pages.entries()) {
    const shown = [names[index], status, alert, headers.get("retry-after")];
    expect(shown).toEqual([names[index], 503, UNAVAILABLE, "60"]);
  }
  expect(hook.asked).toHaveLength(names.length);
  const users = service.db.selectFrom("users").select("password_hash").where("id", "in", ids);
  expect(await users.execute()).toEqual(ids.map(() => ({ password_hash: null })));
  const checks = service.db.selectFrom("events").select("type").where("aggregate_id", "in", ids);
  expect(await checks.where("type", "like", "%check%").execute()).toEqual([]);
  const logged = service.logs.filter(({ msg, level }) => msg === "a password hook has not answered" && level === 40);
  const reasons = logged.flatMap(({ err }) => (typeof err === "string" ? [err] : [])).sort();
  expect(reasons).toEqual(
    [
      "the response has more than 65536 bytes",
      ...[204, 302, 500].map((status) => `the response has the status ${status}`),
      'the response is not JSON with a boolean "valid"',
    ]
      .map((reason) => `organization ${service.orgId}: ${reason}`)
      .sort(),
  );
});

test("attempts that the hook has not checked do not delay the user, and all others do", async () => {
  const statuses = async (userName: string, status: number) => {
    await importAda(service, { userName, ...VERIFIED });
    hook.respond = () => status;
    const found: number[] = [];
    const address = `198.51.100.${status - 500}`;
    for (let round = 0; round < 3; round++) {
      const pages = Array.from({ length: 5 }, () => attempt(userName, PASSWORD, createPerson(service, address)));
      for (const { status } of await Promise.all(pages)) found.push(status);
    }
    return found;
  };
  expect(new Set(await statuses("unchecked", 503))).toEqual(new Set([503]));
  expect(new Set(await statuses("perhaps checked", 500))).toEqual(new Set([503, 429]));
});

test("a slow hook delays only users without a password, and at most so many at once", async () => {
  const names = Array.from({ length: LIMITS.passwordHook.most + 1 }, (_, index) => `slow-${index}`);
  for (const userName of names) await importAda(service, { userName, ...VERIFIED });
  await importAda(service, { userName: "moved", ...VERIFIED, password: OTHER });
  // Only the forms are sent while the responses are held, because a request to the hook has a time limit.
  const prepare = async (username: string, password: string) => {
    const person = createPerson(service);
    const { page } = await open(app, person);
    return () => person.submit(page, { username, password });
  };
  const [first, ...others] = await Promise.all(names.map((name) => prepare(name, PASSWORD)));
  const moved = await prepare("moved", OTHER);
  const held = holdResponses();
  const attempts = others.map((submit) => submit());
  await until("all are asked", () => hook.asked.length === LIMITS.passwordHook.most);
  // The pages have fewer connections to the database than there are requests to the hook.
  expect(service.config.databasePoolSize).toBeLessThanOrEqual(LIMITS.passwordHook.most);
  expect(isSignedIn(await moved())).toBe(true);
  expect((await first?.())?.alert).toBe(UNAVAILABLE);
  expect(hook.asked).toHaveLength(LIMITS.passwordHook.most);
  held.release();
  expect((await Promise.all(attempts)).every(isSignedIn)).toBe(true);
  expect(isSignedIn(await attempt("slow-0", PASSWORD))).toBe(true);
});

test("a failure takes the same minimum time for names without a user", async () => {
  const startedAt = performance.now();
  expect((await attempt("nobody at all", PASSWORD)).alert).toBe(FAILED);
  expect(performance.now() - startedAt).toBeGreaterThan(990);
});

test("a removed hook is not asked", async () => {
  const orgId = await service.createOrg("Finished");
  const own = await createRelyingParty(service, { owner_id: orgId });
  await call(service, "ImportHumanUser", foreigner(), { "x-service-orgid": orgId });
  await createTestPasswordHook(service, orgId, hook.url);
  const refusedWith = async () => {
    const person = createPerson(service);
    const { page } = await open(own, person);
    return (await person.submit(page, { username: "foreigner", password: OTHER })).alert;
  };
  expect(await refusedWith()).toBe(FAILED);
  expect(hook.asked).toMatchObject([{ user: { resourceOwner: orgId, userName: "foreigner" } }]);
  await call(service, "RemovePasswordHook", {}, { "x-service-orgid": orgId });
  expect(await refusedWith()).toBe(FAILED);
  expect(hook.asked).toHaveLength(1);
});

test("a hook at an address that is not public is not asked", async () => {
  const { service, app } = await start({ IDP_ALLOW_PRIVATE_NETWORKS: "false" });
  try {
    await importAda(service, { userName: "ada", ...VERIFIED });
    const { port } = new URL(hook.url);
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      await createTestPasswordHook(service, service.orgId, `http://${host}:${port}/`);
      const person = createPerson(service);
      const { page } = await open(app, person);
      expect((await person.submit(page, { username: "ada", password: PASSWORD })).alert).toBe(UNAVAILABLE);
    }
    expect(hook.asked).toEqual([]);
  } finally {
    await service.close();
  }
});
