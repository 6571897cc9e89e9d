import * as client from "openid-client";
import { type Browser, createBrowser } from "../../support/browsers/browser.ts";
import type { Page, Person } from "../../support/browsers/person.ts";
import { call, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import {
  chooseIdp,
  type OtherProviders,
  passProvider,
  type RegisteredIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { formOf } from "../account/account-scene.ts";
import { createIdpScene, type IdpScene, isDone } from "./idp-scene.ts";

const PASSWORD = "analytical engine no. 1";
const APP_SIGNED_OUT = "https://app.example.com/signed-out";
const SIGNED_OUT = "You are signed out";

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
beforeAll(async () => {
  service = await startService("postgres", VISITED);
  service.secret(PASSWORD);
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
afterAll(() => service?.close());

/** A user who has signed in at a provider, with the cookies of both. */
interface SignedIn {
  readonly idp: RegisteredIdp;
  readonly userId: string;
  readonly person: Person;
  /** The person's browser at the provider. */
  readonly atProvider: Browser;
  readonly idToken: string;
}

async function signInAt(isFederated: boolean, fields: object = VERIFIED): Promise<SignedIn> {
  const { idp, userId } = await scene.newLinkedUser(fields);
  const settings = { idpId: idp.id, name: idp.name, federatedLogoutEnabled: isFederated };
  await call(service, "UpdateIDP", settings);
  const { person, request, page } = await scene.open();
  const atProvider = createBrowser(providers.origin, providers.origin);
  const done = await person.open(await passProvider(await chooseIdp(person, page, idp), atProvider));
  const { id_token: idToken = "" } = await redeem(service, app, done.url, request);
  await idp.behave({ asks: true, keepsState: true });
  return { idp, userId, person, atProvider, idToken };
}

/** Whether the provider signs the browser in again without asking. */
async function isSignedInAtProvider({ idp, atProvider }: SignedIn): Promise<boolean> {
  const { person, page } = await scene.open();
  const callback = passProvider(await chooseIdp(person, page, idp), atProvider);
  return callback.then(
    () => true,
    (error) => {
      if (!/<h1>Other<\/h1>/.test(String(error))) throw error;
      return false;
    },
  );
}

/** Whether the application gets a code without a sign-in. */
async function isSignedInHere({ person }: SignedIn): Promise<boolean> {
  return isDone(await person.open(createRequest(app, { prompt: "none" }).url));
}

function logoutUrl(parameters: Record<string, string>): URL {
  return client.buildEndSessionUrl(app.configuration, parameters);
}

const toApp = ({ idToken }: SignedIn, state = "app & state") =>
  logoutUrl({ id_token_hint: idToken, post_logout_redirect_uri: APP_SIGNED_OUT, state });

/** Confirms the sign-out at the provider, and follows the redirect back. */
async function confirmAtProvider({ person, atProvider }: SignedIn, page: Page): Promise<Page> {
  const asked = await atProvider.open(page.url.href);
  expect(asked.text).toContain("op.logoutForm");
  const [, action = ""] = /action="([^"]*)"/.exec(asked.text) ?? [];
  const [, xsrf = ""] = /name="xsrf" value="([^"]*)"/.exec(asked.text) ?? [];
  const back = await atProvider.post(action, { xsrf, logout: "yes" });
  return person.open(back.location);
}

test("a sign-out by the application continues at the provider, and returns to the application", async () => {
  const signedIn = await signInAt(true);
  const { person, idp } = signedIn;
  expect(await isSignedInAtProvider(signedIn)).toBe(true);
  const page = await person.open(toApp(signedIn));
  expect(`${page.url.origin}${page.url.pathname}`).toBe(`${idp.issuer}/session/end`);
  expect(Object.fromEntries(page.url.searchParams)).toEqual({
    client_id: `signet-${idp.name}`,
    post_logout_redirect_uri: `${service.config.publicUrl}/ui/idps/${idp.id}/signed-out`,
    state: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
  });
  expect(await isSignedInHere(signedIn)).toBe(false);
  const back = await confirmAtProvider(signedIn, page);
  expect(back.url.href).toBe(`${APP_SIGNED_OUT}?${new URLSearchParams({ state: "app & state" })}`);
  expect(await isSignedInAtProvider(signedIn)).toBe(false);
});

test("by default, a sign-out ends only the session here", async () => {
  const signedIn = await signInAt(false);
  const page = await signedIn.person.open(toApp(signedIn, "s"));
  expect(page.url.href).toBe(`${APP_SIGNED_OUT}?state=s`);
  expect(await isSignedInHere(signedIn)).toBe(false);
  expect(await isSignedInAtProvider(signedIn)).toBe(true);
});

test("the setting applies to sessions that have begun before a change of it", async () => {
  const [on, off] = [await signInAt(false), await signInAt(true)];
  await call(service, "UpdateIDP", { idpId: on.idp.id, name: on.idp.name, federatedLogoutEnabled: true });
  await call(service, "UpdateIDP", { idpId: off.idp.id, name: off.idp.name });
  expect((await on.person.open(toApp(on))).url.origin).toBe(providers.origin);
  expect((await off.person.open(toApp(off))).url.href).toMatch(APP_SIGNED_OUT);
});

test("a user who is asked may stay signed in, here and at the provider", async () => {
  const signedIn = await signInAt(true);
  const { person } = signedIn;
  const url = logoutUrl({ client_id: app.id, post_logout_redirect_uri: APP_SIGNED_OUT });
  const stayed = await person.submit(await person.open(url), {});
  expect(stayed.url.href).toBe(APP_SIGNED_OUT);
  expect(await isSignedInAtProvider(signedIn)).toBe(true);
  const left = await person.submit(await person.open(url), { logout: "yes" });
  expect((await confirmAtProvider(signedIn, left)).url.href).toBe(APP_SIGNED_OUT);
  expect(await isSignedInHere(signedIn)).toBe(false);
});

test("a sign-out on the account page continues at the provider", async () => {
  const signedIn = await signInAt(true);
  const { person } = signedIn;
  const account = await person.open("/ui/account");
  expect(account.headers.get("content-security-policy")).not.toContain("form-action");
  const page = await person.submit(formOf(account, "/ui/account/sign-out"), {});
  expect(page.url.href).toMatch(signedIn.idp.issuer);
  const back = await confirmAtProvider(signedIn, page);
  expect([back.status, back.title]).toEqual([200, SIGNED_OUT]);
  expect(await isSignedInHere(signedIn)).toBe(false);
  expect(await isSignedInAtProvider(signedIn)).toBe(false);
});

test("without a URI of the application, the user returns to the page of a sign-out", async () => {
  const signedIn = await signInAt(true);
  const page = await signedIn.person.open(logoutUrl({ id_token_hint: signedIn.idToken }));
  const back = await confirmAtProvider(signedIn, page);
  expect([back.url.pathname, back.title]).toEqual(["/oidc/v1/end_session/success", SIGNED_OUT]);
});

test("the provider stays that of the session when the user authenticates with the password", async () => {
  const userName = "with-password";
  const signedIn = await signInAt(true, { ...VERIFIED, userName, password: PASSWORD });
  const { person } = signedIn;
  const asked = await person.open(createRequest(app, { prompt: "login" }).url);
  expect(isDone(await person.submit(asked, { username: userName, password: PASSWORD }))).toBe(true);
  expect((await person.open(toApp(signedIn))).url.origin).toBe(providers.origin);
});

test("a session without a provider ends as before", async () => {
  const userName = "only-password";
  await signInAt(true, { ...VERIFIED, userName, password: PASSWORD });
  const { person, request, page } = await scene.open();
  const done = await person.submit(page, { username: userName, password: PASSWORD });
  const { id_token = "" } = await redeem(service, app, done.url, request);
  const account = await person.open("/ui/account");
  expect(account.title).toBe("Your account");
  const left = await person.open(logoutUrl({ id_token_hint: id_token, post_logout_redirect_uri: APP_SIGNED_OUT }));
  expect(left.url.href).toBe(APP_SIGNED_OUT);
});

describe("the user returns immediately from a provider that", () => {
  const FAILURE = "a sign-out with an identity provider failed";
  const NOT_HTTPS = /^identity provider .*: end_session_endpoint: "ftp:\/\/example.com\/" is not an https URL$/;

  test.each([
    ["has no end_session_endpoint", { metadata: { end_session_endpoint: null } }, undefined],
    ["has one that is not https", { metadata: { end_session_endpoint: "ftp://example.com/" } }, NOT_HTTPS],
    ["is down", { variant: "down-metadata" }, /openid-configuration responds with status 503 instead of 200$/],
  ])("%s", async (_, options, problem) => {
    const signedIn = await signInAt(true);
    const { idp, person } = signedIn;
    await idp.behave(options);
    // Its metadata are loaded again.
    await call(service, "UpdateIDP", { idpId: idp.id, name: "Renamed", federatedLogoutEnabled: true });
    const before = service.logs.length;
    expect((await person.open(toApp(signedIn, "s"))).url.href).toBe(`${APP_SIGNED_OUT}?state=s`);
    expect(await isSignedInHere(signedIn)).toBe(false);
    const logged = service.logs.slice(before).filter(({ msg }) => msg === FAILURE);
    const messages = logged.map(({ err }) => (err as { message: string }).message);
    expect(messages).toEqual(problem === undefined ? [] : [expect.stringMatching(problem)]);
  });

  test("is deactivated", async () => {
    const signedIn = await signInAt(true);
    await call(service, "DeactivateIDP", { idpId: signedIn.idp.id });
    expect((await signedIn.person.open(toApp(signedIn, "s"))).url.href).toBe(`${APP_SIGNED_OUT}?state=s`);
  });
});

describe("the browser is not redirected by", () => {
  const pathsOf = (id: string) => ["sign-out", "signed-out"].map((step) => `/ui/idps/${id}/${step}`);

  async function expectNoRedirect(person: Person, paths: readonly string[], state: string): Promise<void> {
    for (const path of paths) {
      const page = await person.open(`${path}?${new URLSearchParams({ state })}`);
      expect([page.status, page.title, page.url.pathname]).toEqual([200, SIGNED_OUT, path]);
    }
  }

  test("a state that is invented, of another provider, or more than an hour old", async () => {
    const signedIn = await signInAt(true);
    const { person, idp } = signedIn;
    const state = (await person.open(toApp(signedIn))).url.searchParams.get("state") ?? "";
    const other = await scene.newIdp();
    for (const invented of ["", "a.b", `${state}AAAA`, state.slice(0, -4), state.slice(1)]) {
      await expectNoRedirect(person, pathsOf(idp.id), invented);
    }
    await expectNoRedirect(person, pathsOf(other.id), state);
    expect((await person.open(`${pathsOf(idp.id)[1]}?state=${state}`)).url.href).toMatch(APP_SIGNED_OUT);
    service.clockOffsetMs += 3_601_000;
    await expectNoRedirect(person, pathsOf(idp.id), state);
  });
});
