import { codeOfStep, parseTotpSecret, stepAt } from "../../../src/sign-in/code/totp.ts";
import { createPerson, type Page, type Person } from "../../support/browsers/person.ts";
import { call, signInCodes, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import {
  chooseIdp,
  type OtherProviders,
  passProvider,
  type RegisteredIdp,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";

const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
const PASSWORD = "analytical engine no. 1";
const HOUR = 3_600;
const CONFIRM = "Confirm that it is you";

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

/** The one-time code of `SECRET`. */
function currentCode(): string {
  const secret = parseTotpSecret(SECRET);
  if (secret === undefined) throw new Error("the secret cannot be read");
  return codeOfStep(secret, stepAt(secret, service.clock()));
}

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

  test.each([
    [{ prompt: "login" }, "old-session"],
    [{ max_age: "60" }, "old-session"],
    [{ max_age: "60" }, "no-auth-time"],
  ])("%j: a provider with %s is not enough, and a code from an email is", async (parameters, variant) => {
    const { idp, userId } = await scene.newLinkedUser();
    await idp.behave({ variant });
    const { person, request, page } = await scene.open({ parameters });
    const asked = await signInAt(person, page, idp);
    expect([asked.title, asked.text]).toEqual([CONFIRM, expect.stringContaining(`${idp.name} has not confirmed`)]);
    const sent = await person.submit(asked, { do: "send" });
    const [digits = ""] = await signInCodes(service, userId);
    const wrong = await person.submit(sent, { code: digits.replaceAll(/\d/g, (digit) => String(9 - Number(digit))) });
    expect([wrong.status, wrong.alert]).toEqual([422, "This code is incorrect or no longer valid."]);
    const before = nowInSeconds();
    const done = await person.submit(wrong, { code: ` ${digits.slice(0, 3)} ${digits.slice(3)}` });
    const claims = (await redeem(service, app, done.url, request)).claims();
    expect(claims).toMatchObject({ sub: userId, amr: ["fed"] });
    expect(claims?.auth_time).toBeGreaterThanOrEqual(before);
  });

  test("a one-time code of the user counts as well", async () => {
    const { idp, userId } = await scene.newLinkedUser({ ...VERIFIED, password: PASSWORD, otpCode: SECRET });
    await idp.behave({ variant: "old-session" });
    const { person, request, page } = await scene.open({ parameters: { prompt: "login" } });
    const before = nowInSeconds();
    const asked = await signInAt(person, page, idp);
    expect(asked.title).toBe("Enter your one-time code");
    const done = await person.submit(asked, { code: currentCode() });
    const claims = (await redeem(service, app, done.url, request)).claims();
    expect(claims).toMatchObject({ sub: userId, amr: ["fed", "otp", "mfa"] });
    expect(claims?.auth_time).toBeGreaterThanOrEqual(before);
  });

  test("an unknown user of a provider with an old session registers, and confirms with a code", async () => {
    const name = "stale";
    const account = { sub: name, given_name: "A", family_name: "B", email: "a@b.ch", email_verified: true };
    const idp = await scene.newIdp({ variant: "old-session", fields: { autoRegister: true }, account });
    const { person, page } = await scene.open({ parameters: { prompt: "login" } });
    const asked = await signInAt(person, page, idp);
    expect(asked.title).toBe(CONFIRM);
    const { id } = await service.db
      .selectFrom("users")
      .select("id")
      .where("email", "=", "a@b.ch")
      .executeTakeFirstOrThrow();
    const sent = await person.submit(asked, { do: "send" });
    expect(isDone(await person.submit(sent, { code: (await signInCodes(service, id))[0] ?? "" }))).toBe(true);
  });
});

test("with requireAuthTime false, a provider that was asked to prompt the user is believed", async () => {
  const { idp, userId } = await scene.newLinkedUser();
  await idp.behave({ variant: "no-auth-time" });
  const settings = { id: idp.id, name: idp.name, issuer: idp.issuer, clientId: `signet-${idp.name}` };
  const providerOptions = { isLinkingAllowed: true, requireAuthTime: false };
  await call(service, "AdminService.UpdateGenericOIDCProvider", { ...settings, usePkce: true, providerOptions });
  const { person, request, page } = await scene.open({ parameters: { max_age: "60" } });
  const before = nowInSeconds();
  const atProvider = await chooseIdp(person, page, idp);
  expect(atProvider.url.searchParams.get("prompt")).toBe("login");
  const done = await person.open(await passProvider(atProvider));
  const claims = (await redeem(service, app, done.url, request)).claims();
  expect(claims?.sub).toBe(userId);
  expect(claims?.auth_time).toBeGreaterThanOrEqual(before);
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
    ["old-session", CONFIRM],
    // The person can remove `prompt` and `max_age` on the way to the provider.
    ["no-auth-time", CONFIRM],
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

// Last, because the clock moves.
describe("a code from an email", () => {
  test("a code does not count for a user whose address has changed, in another sign-in, or too late", async () => {
    const { idp, userId } = await scene.newLinkedUser();
    await idp.behave({ variant: "old-session" });
    const ask = async () => {
      const { person, page } = await scene.open({ parameters: { prompt: "login" } });
      const sent = await person.submit(await signInAt(person, page, idp), { do: "send" });
      return { person, sent, code: (await signInCodes(service, userId)).at(-1) ?? "" };
    };
    const [first, second] = [await ask(), await ask()];
    const [, stolen = ""] = /name="sent" value="([^"]*)"/.exec(first.sent.text) ?? [];
    const other = await second.person.submit(second.sent, { code: first.code, sent: stolen });
    expect([other.title, other.alert]).toEqual([CONFIRM, "This code is incorrect or no longer valid."]);
    const { email } = await userOf(service, userId);
    await call(service, "UpdateHumanEmail", { userId, email: "new@example.com", isEmailVerified: true });
    expect((await second.person.submit(second.sent, { code: second.code })).title).toBe(CONFIRM);
    await call(service, "UpdateHumanEmail", { userId, email, isEmailVerified: true });
    const third = await ask();
    service.clockOffsetMs += 15 * 60_000;
    const late = await third.person.submit(third.sent, { code: third.code });
    expect(isDone(late)).toBe(false);
  });

  test("five codes are sent in an hour, and a code that was not delivered in 15 minutes is not sent", async () => {
    const { idp, userId } = await scene.newLinkedUser();
    await idp.behave({ variant: "old-session" });
    const { person, page } = await scene.open({ parameters: { prompt: "login" } });
    let asked = await signInAt(person, page, idp);
    for (let count = 1; count <= 6; count++) asked = await person.submit(asked, { do: "send" });
    expect([asked.status, asked.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect(await signInCodes(service, userId)).toHaveLength(5);
    service.clockOffsetMs += 15 * 60_000;
    await service.delivery.deliverDue();
    const states = service.db
      .selectFrom("messages")
      .select("state")
      .where("notice", "=", "sign-in-code")
      .where("user_id", "=", userId)
      .distinct();
    expect(await states.execute()).toEqual([{ state: "expired" }]);
  });
});
