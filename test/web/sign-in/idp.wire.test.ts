import type { JsonObject } from "@bufbuild/protobuf";
import { ENDED_IDP_ATTEMPTS } from "../../../src/server/delete-ended.ts";
import { PROVIDERS } from "../../idps/provider-requests.ts";
import { createPerson } from "../../support/browsers/person.ts";
import { call, eventsAfter, lastReceived, userOf, VERIFIED, VISITED } from "../../support/browsers/visitor.ts";
import {
  chooseIdp,
  type OtherProviders,
  passProvider,
  signInAtIdp,
  startOtherProviders,
} from "../../support/oidc/other-provider.ts";
import { createRelyingParty, createRequest, type RelyingParty, redeem } from "../../support/oidc/relying-party.ts";
import { startService, type TestService } from "../../support/servers/service.ts";
import { createRecordedMetrics } from "../../support/telemetry/recorded-metrics.ts";
import { createIdpScene, type IdpScene, isDone, newSub, PERSON } from "./idp-scene.ts";

const MINUTE = 60_000;
const NETWORK = { network: expect.stringMatching(/^10\.1\.\d+\.0\/24$/) };

let providers: OtherProviders;
beforeAll(async () => {
  providers = await startOtherProviders();
});
afterAll(() => providers?.close());

let service: TestService;
let app: RelyingParty;
let scene: IdpScene;
const metrics = createRecordedMetrics();
beforeAll(async () => {
  service = await startService("postgres", VISITED, { metrics });
  app = await createRelyingParty(service);
  scene = createIdpScene(service, app, providers);
});
afterAll(() => service?.close());

const attempts = () => service.db.selectFrom("idp_attempts").selectAll().execute();
const userWithName = (name: string) =>
  service.db.selectFrom("users").selectAll().where("user_name", "=", name).executeTakeFirst();

test("an imported user with a link signs in at the provider, and the application gets an ID token", async () => {
  const { idp, userId } = await scene.newLinkedUser();
  const { sequence } = await userOf(service, userId);
  const stateOf = async () => ((await call(service, "GetUserByID", { id: userId })).user as JsonObject).state;
  expect(await stateOf()).toBe("USER_STATE_INITIAL");
  const { person, request, page } = await scene.open();
  expect(page.text).toContain(`<span>Sign in with ${idp.name}</span></button>`);
  const done = await signInAtIdp(person, page, idp);
  const claims = (await redeem(service, app, done.url, request)).claims();
  expect(claims).toMatchObject({ sub: userId, amr: ["fed"] });
  expect(await eventsAfter(service, userId, sequence)).toEqual([
    ["user.human.idp.check.succeeded", { idpId: idp.id, ...NETWORK }],
    ["user.human.initialized", { codeId: null }],
    ["user.human.signed.in", { appId: app.id, methods: ["fed"], idpId: idp.id, ...NETWORK }],
  ]);
  expect(await stateOf()).toBe("USER_STATE_ACTIVE");
  const again = await scene.open();
  await signInAtIdp(again.person, again.page, idp);
  expect((await eventsAfter(service, userId, sequence)).slice(3)).toEqual([
    ["user.human.idp.check.succeeded", { idpId: idp.id, ...NETWORK }],
    ["user.human.signed.in", { appId: app.id, methods: ["fed"], idpId: idp.id, ...NETWORK }],
  ]);
  expect(await attempts()).toEqual([]);
  expect(metrics.checks).toEqual([
    ["idp", "success"],
    ["idp", "success"],
  ]);
});

describe("the buttons", () => {
  test("are those of the active providers of the instance and of the organization, which come first", async () => {
    const other = await service.createOrg("Others");
    const ofOrg = await scene.newIdp({ orgId: service.orgId, fields: { name: "B & <Sons>" } });
    const lastOfOrg = await scene.newIdp({ orgId: service.orgId, fields: { name: "company 2" } });
    const ofInstance = await scene.newIdp({ fields: { name: "a company" } });
    const ofOther = await scene.newIdp({ orgId: other, fields: { name: "Elsewhere" } });
    const inactive = await scene.newIdp({ orgId: service.orgId, fields: { name: "Switched off" } });
    await call(service, "DeactivateOrgIDP", { idpId: inactive.id });
    const { page } = await scene.open();
    const buttons = [...page.text.matchAll(/name="idp" value="([^"]*)"[^>]*><svg.*?<span>([^<]*)</g)].map(
      ([, id, text]) => [id, text],
    );
    expect(buttons).toContainEqual([ofOrg.id, "Sign in with B &amp; &lt;Sons&gt;"]);
    expect(buttons).not.toContainEqual([ofOther.id, expect.anything()]);
    expect(buttons).not.toContainEqual([inactive.id, expect.anything()]);
    const order = buttons.map(([id]) => id).filter((id) => [ofOrg, lastOfOrg, ofInstance].some((idp) => idp.id === id));
    expect(order).toEqual([ofOrg.id, lastOfOrg.id, ofInstance.id]);
    // The buttons are not secret, but a sign-in must not use the providers of other organizations.
    const { person, page: fresh } = await scene.open();
    for (const { id } of [ofOther, inactive]) {
      const refused = await chooseIdp(person, { ...fresh, text: fresh.text.replaceAll(ofOrg.id, id) }, { id });
      expect([refused.status, refused.alert]).toEqual([422, "This service can no longer be used to sign in."]);
    }
  });

  test("from eight on, can be searched by name without a script", async () => {
    const { orgId } = service;
    await service.db.updateTable("idps").set({ state: "inactive" }).execute();
    const count = async () => (await scene.open()).page.text.match(/ name="idp" /g)?.length ?? 0;
    const search = async (text: string) => {
      const { person, page } = await scene.open();
      const [form = ""] = /<form class="search".*?<\/form>/s.exec(page.text) ?? [];
      const [, action = ""] = / action="([^"]*)"/.exec(form) ?? [];
      const [, application = ""] = / name="app" value="([^"]*)"/.exec(form) ?? [];
      const found = await person.open(`${action}?${new URLSearchParams({ app: application, provider: text })}`);
      return [...found.text.matchAll(/name="idp" value="([^"]*)"/g)].map(([, id]) => id);
    };
    for (let added = 0; added < 7; added++) await scene.newIdp({ orgId, fields: { name: `Filler ${added}` } });
    expect((await scene.open()).page.text).not.toContain('class="search"');
    const eighth = await scene.newIdp({ orgId, fields: { name: "100% Ärzte_Bund" } });
    expect(await search("ärzte")).toEqual([eighth.id]);
    expect(await search("% ")).toEqual([eighth.id]);
    expect(await search("nothing like it")).toEqual([]);
    for (let added = 8; added < 52; added++) await scene.newIdp({ orgId, fields: { name: `Filler ${added}` } });
    // A page has 50 buttons.
    const last = await scene.newIdp({ orgId, fields: { name: "Last" } });
    expect(await count()).toBe(50);
    expect(await search("last")).toEqual([last.id]);
    await service.db.updateTable("idps").set({ state: "inactive" }).execute();
  });

  test("of Google follow its branding guidelines", async () => {
    await scene.newIdp({ fields: { name: "Workspace", stylingType: "STYLING_TYPE_GOOGLE" } });
    const { page } = await scene.open();
    expect(page.text).toMatch(
      /<button class="google" [^>]*><svg .*?<\/svg><span>Sign in with Google<\/span><\/button>/,
    );
  });

  test.each([
    ["Apple", "apple", "Sign in with Apple"],
    ["AzureAD", "microsoft", "Sign in with Microsoft"],
    ["GitHub", "secondary github", "Sign in with 0 Tools"],
    ["GitLab", "secondary", "Sign in with 0 Tools"],
  ] as const)("of %s have the look %s and the title %s, and their names if several have a title", async (...each) => {
    const [provider, look, title] = each;
    const add = (name: string) =>
      call(service, `AdminService.Add${provider}Provider`, { ...PROVIDERS[provider], name });
    const { id } = await add("0 Tools");
    const read = async (idpId: unknown) => {
      const { page } = await scene.open();
      return new RegExp(`<button class="([^"]*)" [^>]*value="${idpId}"[^>]*><svg .*?</svg>(.*?)</button>\\n(<p .*)?`)
        .exec(page.text)
        ?.slice(1);
    };
    expect(await read(id)).toEqual([look, `<span>${title}</span>`, undefined]);
    const { id: other } = await add("1 Tools");
    const isTitled = !title.includes("Tools");
    const spoken = isTitled ? ' <span class="spoken">(1 Tools)</span>' : "";
    const shown = isTitled ? '<p class="small">1 Tools</p>' : undefined;
    expect(await read(other)).toEqual([look, `<span>${title.replace("0", "1")}${spoken}</span>`, shown]);
  });

  test("cost one query of an organization in five seconds", async () => {
    const { person } = await scene.open();
    const before = await scene.newIdp();
    const request = createRequest(app);
    expect((await person.open(request.url)).text).not.toContain(before.id);
    service.clockOffsetMs += 5_000;
    expect((await person.open(createRequest(app).url)).text).toContain(before.id);
  });
});

describe("the request to the provider", () => {
  test("has code, PKCE, state and nonce, and the default scopes", async () => {
    const idp = await scene.newIdp();
    const { person, page } = await scene.open();
    const { url } = await chooseIdp(person, page, idp);
    expect(`${url.origin}${url.pathname}`).toBe(`${idp.issuer}/auth`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: `signet-${new URL(idp.issuer).pathname.slice(1)}`,
      response_type: "code",
      redirect_uri: `${service.config.publicUrl}/ui/idps/${idp.id}/callback`,
      scope: "openid profile email",
      state: expect.stringMatching(/^[\w-]+\.[\w-]{100,250}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    // Neither the database nor the log contains a value that the browser or the provider sends.
    for (const name of ["state", "nonce", "code_challenge"]) service.secret(url.searchParams.get(name) ?? "");
    for (const [name, value] of person.browser.jar()) {
      if (name.startsWith("signet-idp-")) service.secret(value);
    }
    expect(await attempts()).toHaveLength(1);
  });

  test("has the configured scopes, and openid always", async () => {
    const idp = await scene.newIdp({ fields: { scopes: ["email", "groups"] } });
    const { person, page } = await scene.open();
    const { url } = await chooseIdp(person, page, idp);
    expect(url.searchParams.get("scope")).toBe("openid email groups");
  });

  test.each([
    ["client_secret_basic", "only that one", { methods: ["client_secret_basic"] }],
    ["client_secret_post", "only that one", { methods: ["client_secret_post"] }],
    ["client_secret_basic", "both", {}],
    ["client_secret_post", "both", {}],
    ["client_secret_basic", "none", { methods: null }],
    ["client_secret_post", "none", { methods: null }],
  ] as const)("authenticates with %s if the metadata list %s", async (method, _, options) => {
    const methods = "methods" in options ? options.methods : undefined;
    const client = { token_endpoint_auth_method: method };
    const metadata = methods === undefined ? {} : { token_endpoint_auth_methods_supported: methods ?? undefined };
    const { idp, userId } = await scene.newLinkedUser(VERIFIED, { client, metadata });
    for (const attempt of [1, 2]) {
      const { person, request, page } = await scene.open();
      const done = await signInAtIdp(person, page, idp);
      expect([attempt, (await redeem(service, app, done.url, request)).claims()?.sub]).toEqual([attempt, userId]);
    }
  });

  test("sends the secret in the form to a provider that does not decode the header", async () => {
    // Client id and secret contain characters that RFC 6749, section 2.3.1, encodes in the header.
    const client = { token_endpoint_auth_method: "client_secret_post", client_secret: "GOCSPX-a.b_c" } as const;
    const { idp, userId } = await scene.newLinkedUser(VERIFIED, { client, variant: "raw-basic" });
    const { person, request, page } = await scene.open();
    const done = await signInAtIdp(person, page, idp);
    expect((await redeem(service, app, done.url, request)).claims()?.sub).toBe(userId);
  });
});

test("“keep me signed in” applies to a sign-in with a provider", async () => {
  const { idp } = await scene.newLinkedUser();
  const lifetimes = [];
  for (const fields of [{}, { remember: "yes" }]) {
    const { person, page } = await scene.open();
    expect(isDone(await signInAtIdp(person, page, idp, fields))).toBe(true);
    const session = await service.db
      .selectFrom("oidc_artifacts")
      .select("payload")
      .where("kind", "=", "Session")
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    lifetimes.push((session.payload as { transient?: boolean }).transient ?? false);
  }
  expect(lifetimes).toEqual([true, false]);
});

describe("an attempt", () => {
  test("can be used once", async () => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    expect(isDone(await person.open(callback))).toBe(true);
    const again = await person.open(callback);
    expect([again.status, again.title]).toEqual([410, "This sign-in has ended"]);
  });

  test("completes one sign-in, also with ten responses at the same time", async () => {
    const { idp, userId } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    const { sequence } = await userOf(service, userId);
    const pages = await Promise.all(Array.from({ length: 10 }, () => person.open(callback)));
    expect(pages.filter(isDone)).toHaveLength(1);
    expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual([
      "user.human.idp.check.succeeded",
      "user.human.initialized",
      "user.human.signed.in",
    ]);
  });

  test("belongs to the browser that started it", async () => {
    const { idp, userId } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    const { sequence } = await userOf(service, userId);
    const victim = createPerson(service);
    const { page: own } = await scene.open({ person: victim });
    const ended = await victim.open(callback);
    expect([ended.status, ended.title]).toEqual([410, "This sign-in has ended"]);
    // The response is not valid for an attempt of that browser either.
    await chooseIdp(victim, own, idp);
    expect((await victim.open(callback)).status).toBe(410);
    expect((await userOf(service, userId)).sequence).toBe(sequence);
    // The attempt is still valid in the browser that started it.
    expect(isDone(await person.open(callback))).toBe(true);
  });

  test("ends after ten minutes, and is then deleted", async () => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    service.clockOffsetMs += 10 * MINUTE;
    const late = await person.open(callback);
    expect([late.status, late.alert]).toEqual([
      422,
      "The sign-in with the other service took too long, or was started again. Please try again.",
    ]);
    const now = new Date(service.clock().getTime() + 1);
    expect(await ENDED_IDP_ATTEMPTS.deleteBatch(service.db, now)).toBeGreaterThan(0);
    expect(await attempts()).toEqual([]);
  });

  test("ends after ten minutes also for the browser, and the user can sign in again", async () => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    const isOfAttempt = ([name]: [string, string]) => name.startsWith("signet-idp-");
    expect(person.browser.jar().filter(isOfAttempt)).toHaveLength(1);
    service.clockOffsetMs += 10 * MINUTE;
    expect(person.browser.jar().filter(isOfAttempt)).toEqual([]);
    const late = await person.open(callback);
    expect([late.status, late.title]).toEqual([422, expect.stringMatching(/^Sign in to /)]);
    expect(isDone(await signInAtIdp(person, late, idp))).toBe(true);
  });

  test("leads back to the application if the sign-in has ended too, or in another browser", async () => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const callback = await passProvider(await chooseIdp(person, page, idp));
    const restart = 'href="https://app.example.com/">Start again at ';
    const elsewhere = await createPerson(service).open(callback);
    expect([elsewhere.status, elsewhere.text]).toEqual([410, expect.stringContaining(restart)]);
    service.clockOffsetMs += 2 * 60 * MINUTE;
    const late = await person.open(callback);
    expect([late.status, late.title]).toEqual([410, "This sign-in has ended"]);
    expect(late.text).toContain(restart);
    service.clockOffsetMs += 24 * 60 * MINUTE;
    expect((await person.open(callback)).text).not.toContain(restart);
  });

  test("replaces the previous one of the same sign-in", async () => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const former = await passProvider(await chooseIdp(person, page, idp));
    const before = (await attempts()).length;
    const callback = await passProvider(await chooseIdp(person, page, idp));
    expect(await attempts()).toHaveLength(before);
    expect((await person.open(former)).status).toBe(422);
    expect(isDone(await person.open(callback))).toBe(true);
  });

  test("of two tabs do not interfere with each other", async () => {
    const { idp } = await scene.newLinkedUser();
    const { person, page } = await scene.open();
    const { page: other } = await scene.open({ person });
    const callbacks = [];
    for (const tab of [page, other]) callbacks.push(await passProvider(await chooseIdp(person, tab, idp)));
    for (const callback of callbacks) expect(isDone(await person.open(callback))).toBe(true);
  });
});

describe("the gates", () => {
  test("come after the provider as after a password", async () => {
    const { idp, userId } = await scene.newLinkedUser({});
    const { sequence } = await userOf(service, userId);
    const { person, request, page } = await scene.open();
    const gate = await signInAtIdp(person, page, idp);
    expect(gate.title).toBe("Confirm your email address");
    const { code } = await lastReceived(service, userId, "initialization");
    await person.browser.post("/ui/init", { code });
    const done = await person.submit(gate, {});
    expect((await redeem(service, app, done.url, request)).claims()).toMatchObject({ sub: userId, amr: ["fed"] });
    expect((await eventsAfter(service, userId, sequence)).at(-1)).toEqual([
      "user.human.signed.in",
      { appId: app.id, methods: ["fed"], idpId: idp.id, network: expect.stringMatching(/\/24$/) },
    ]);
  });

  test.each(["DeactivateUser", "LockUser"] as const)("refuse a user after %s", async (rpc) => {
    const { idp, userId } = await scene.newLinkedUser();
    await call(service, rpc, { id: userId });
    const { sequence } = await userOf(service, userId);
    const { person, page } = await scene.open();
    const refused = await signInAtIdp(person, page, idp);
    expect([refused.status, refused.alert]).toEqual([422, "You cannot sign in with this account."]);
    expect((await userOf(service, userId)).sequence).toBe(sequence);
  });

  test("reject a user other than the one whom the application requires", async () => {
    const { idp } = await scene.newLinkedUser();
    const first = await scene.open();
    expect(isDone(await signInAtIdp(first.person, first.page, idp))).toBe(true);
    const secondsAhead = service.clockOffsetMs / 1_000 + 60;
    const other = await scene.newLinkedUser(VERIFIED, { secondsAhead });
    const again = await scene.open({ person: first.person, parameters: { prompt: "login" } });
    const refused = await signInAtIdp(first.person, again.page, other.idp);
    expect(refused.alert).toMatch(/^The application requires a different account\. Please sign in as ada-\d+\.$/);
    // No new user is registered either.
    const unknown = await scene.newIdp({
      fields: { autoRegister: true },
      account: { ...PERSON, sub: newSub(), preferred_username: "too-many" },
      secondsAhead,
    });
    const third = await scene.open({ person: first.person, parameters: { prompt: "login" } });
    const asked = await signInAtIdp(first.person, third.page, unknown);
    expect(asked.title).toBe("Account not linked yet");
    expect(asked.text).not.toContain("Create a new account");
    const forced = await first.person.submit(asked, { do: "register", userName: "too-many" });
    expect(forced.title).toBe("Account not linked yet");
    expect(await userWithName("too-many")).toBeUndefined();
  });
});

test("a user who declines at the provider returns to the sign-in page", async () => {
  const idp = await scene.newIdp({ declines: true });
  const { person, page } = await scene.open();
  const back = await signInAtIdp(person, page, idp);
  expect([back.status, back.title, back.alert]).toEqual([
    422,
    expect.stringMatching(/^Sign in to /),
    `The sign-in with ${idp.name} was canceled or declined.`,
  ]);
});
