import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import {
  chooseIdp,
  type OtherProviders,
  type RegisteredIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const HOUR = 3_600;

let providers: OtherProviders;
let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  providers = await startOtherProviders();
  service = await startService("postgres", { ...VISITED, IDP_ALLOW_PRIVATE_NETWORKS: "true" });
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
afterAll(async () => {
  await service?.close();
  await providers?.close();
});

const nowInSeconds = () => Math.floor(service.clock().getTime() / 1_000);

/** The provider has the same time as the service. */
async function signInAt(person: Person, page: Page, idp: RegisteredIdp): Promise<Page> {
  await idp.behave({ secondsAhead: service.clockOffsetMs / 1_000 });
  return await signInAtIdp(person, page, idp);
}

describe("the request to the provider", () => {
  test.each([
    [{ prompt: "login" }, { prompt: "login", max_age: "0" }],
    [{ max_age: "0" }, { prompt: "login", max_age: "0" }],
    [{ max_age: "600" }, { max_age: "600" }],
    [{}, {}],
  ])("for %j has %j", async (parameters: Record<string, string>, expected) => {
    const idp = await scene.newIdp();
    const { person, page } = await scene.open({ parameters });
    const { searchParams } = (await chooseIdp(person, page, idp)).url;
    const sent = ["prompt", "max_age"].flatMap((name) => {
      const value = searchParams.get(name);
      return value === null ? [] : [[name, value]];
    });
    expect(Object.fromEntries(sent)).toEqual(expected);
  });

  test("has login_hint for a provider of the organization only", async () => {
    const [ofOrg, ofInstance] = [await scene.newIdp({ orgId: service.orgId }), await scene.newIdp()];
    const { person, page } = await scene.open({ parameters: { login_hint: "ada & co" } });
    expect((await chooseIdp(person, page, ofOrg)).url.searchParams.get("login_hint")).toBe("ada & co");
    expect((await chooseIdp(person, page, ofInstance)).url.searchParams.has("login_hint")).toBe(false);
  });
});

describe("if a fresh sign-in is required", () => {
  const REQUIRED = [{ prompt: "login" }, { max_age: "60" }] as Record<string, string>[];

  test.each(REQUIRED)("%j: a provider that asks the user again is accepted", async (parameters) => {
    const { idp, userId } = await scene.newLinkedUser();
    const { person, request, page } = await scene.open({ parameters });
    const before = nowInSeconds();
    const done = await signInAt(person, page, idp);
    const claims = (await redeem(service, app, done.url, request)).claims();
    expect(claims?.sub).toBe(userId);
    expect(claims?.auth_time).toBeGreaterThanOrEqual(before);
    expect(claims?.auth_time).toBeLessThanOrEqual(nowInSeconds());
  });

  test.each(
    REQUIRED.flatMap((parameters) => ["old-session", "no-auth-time"].map((variant) => [parameters, variant] as const)),
  )("%j: a provider with %s is refused, and another way to sign in is accepted", async (parameters, variant) => {
    const { idp, userId } = await scene.newLinkedUser({ ...VERIFIED, password: PASSWORD });
    await idp.behave({ variant });
    const { user_name: username, sequence } = await userOf(service, userId);
    const { person, page } = await scene.open({ parameters });
    const refused = await signInAt(person, page, idp);
    expect([refused.status, refused.alert]).toEqual([
      422,
      `${idp.name} has not confirmed that you signed in there just now. Please sign in another way.`,
    ]);
    expect((await userOf(service, userId)).sequence).toBe(sequence);
    expect(isDone(await person.submit(refused, { username, password: PASSWORD }))).toBe(true);
  });

  test("nobody is registered with an old session either", async () => {
    const account = { sub: "stale", given_name: "A", family_name: "B", preferred_username: "stale", email: "a@b.ch" };
    const idp = await scene.newIdp({ variant: "old-session", fields: { autoRegister: true }, account });
    const { person, page } = await scene.open({ parameters: { prompt: "login" } });
    expect((await signInAt(person, page, idp)).status).toBe(422);
    const users = service.db.selectFrom("users").select("id").where("user_name", "=", "stale");
    expect(await users.execute()).toEqual([]);
  });
});

describe("auth_time of the ID token", () => {
  test("is that of the provider's session", async () => {
    const { idp } = await scene.newLinkedUser();
    await idp.behave({ variant: "old-session" });
    const { person, request, page } = await scene.open({ parameters: { max_age: String(2 * HOUR) } });
    const done = await signInAt(person, page, idp);
    const { auth_time = 0 } = (await redeem(service, app, done.url, request)).claims() ?? {};
    expect(Math.abs(nowInSeconds() - HOUR - auth_time)).toBeLessThan(300);
    // The session here lasts as long as any other, and is too old for a lower max_age.
    const again = await scene.open({ person, parameters: { max_age: String(3 * HOUR) } });
    expect(isDone(again.page)).toBe(true);
    const lower = await scene.open({ person, parameters: { max_age: String(HOUR / 2) } });
    expect(lower.page.title).toMatch(/^Sign in to /);
  });

  test("is absent if the provider does not report one, and then every max_age requires a sign-in", async () => {
    const { idp, userId } = await scene.newLinkedUser();
    const { person, request, page } = await scene.open();
    const done = await signInAt(person, page, idp);
    const claims = (await redeem(service, app, done.url, request)).claims();
    expect(claims).toMatchObject({ sub: userId });
    expect(claims).not.toHaveProperty("auth_time");
    expect(isDone((await scene.open({ person })).page)).toBe(true);
    expect((await scene.open({ person, parameters: { max_age: "86400" } })).page.title).toMatch(/^Sign in to /);
  });

  test("is never in the future", async () => {
    const { idp } = await scene.newLinkedUser();
    await idp.behave({ variant: "future-auth-time" });
    const { person, request, page } = await scene.open({ parameters: { prompt: "login" } });
    const done = await signInAt(person, page, idp);
    const { auth_time } = (await redeem(service, app, done.url, request)).claims() ?? {};
    expect(auth_time).toBeLessThanOrEqual(nowInSeconds());
  });
});

describe("the account page", () => {
  test.each([
    ["old-session", "Sign in to Signet"],
    ["no-auth-time", "Sign in to Signet"],
    ["honest", "Set up a passkey"],
  ])("with a provider that is %s answers a request to add a passkey with: %s", async (variant, title) => {
    const { idp } = await scene.newLinkedUser();
    const person = createPerson(service);
    service.clockOffsetMs += 6_000;
    const account = await signInAt(person, await person.open("/ui/account"), idp);
    expect(account.title).toBe("Your account");
    await idp.behave({ variant });
    const asked = await person.submit(account, { do: "add-passkey" });
    expect(asked.title).toMatch(/^Sign in to /);
    const back = await signInAt(person, asked, idp);
    const added = back.title === "Your account" ? await person.submit(back, { do: "add-passkey" }) : back;
    service.secret(added.url.searchParams.get("code")?.split(".")[1] ?? "");
    expect(added.title).toBe(title);
  });
});
