import type { JsonObject } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { createId } from "../../src/crypto/secrets.ts";
import type { Browser } from "../support/browsers/browser.ts";
import { call, importAda, VERIFIED } from "../support/browsers/visitor.ts";
import { createCaller } from "../support/clients/callers.ts";
import {
  completeSignIn,
  createRelyingParty,
  createRequest,
  findRequest,
  newBrowser,
  type RelyingParty,
  redeem,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

let service: TestService;
let app: RelyingParty;
let instanceApp: RelyingParty;
let userId: string;
/** A user of another organization. */
let otherOrgId: string;
let otherUserId: string;
/** A browser in which the user is signed in. */
let browser: Browser;
/** The user's ID token, and that of another user of the same organization. */
let idToken: string;
let foreignIdToken: string;

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres", { app: { name: "Wiki" } }));
  instanceApp = await createRelyingParty(service, { owner_id: service.instanceId });
  otherOrgId = await service.createOrg("other");
  otherUserId = await importInto(otherOrgId);
  browser = newBrowser(service);
  idToken = String((await signInAndRedeem(service, browser, app, userId)).id_token);
  await makeOlder(userId);
  const colleague = await importAda(service, VERIFIED);
  foreignIdToken = String((await signInAndRedeem(service, newBrowser(service), app, colleague)).id_token);
});
afterAll(() => service.close());

/** Makes the user's sign-ins a hundred seconds older. */
async function makeOlder(user: string): Promise<void> {
  await service.db
    .updateTable("oidc_artifacts")
    .set({ payload: sql`payload || jsonb_build_object('loginTs', (payload ->> 'loginTs')::int - 100)` })
    .where("kind", "=", "Session")
    .where("user_id", "=", user)
    .execute();
}

/** Imports a user into another organization. */
async function importInto(orgId: string): Promise<string> {
  const profile = { firstName: "Grace", lastName: "Hopper" };
  const request = { userName: "grace", profile, email: { email: "grace@example.com", isEmailVerified: true } };
  const caller = createCaller("rest", service, service.adminToken);
  const outcome = await caller.call("ImportHumanUser", request, { "x-service-orgid": orgId });
  if (!outcome.ok) throw new Error(outcome.message);
  return String(outcome.message.userId);
}

/** The provider's response: a code, an error to the application, our sign-in page, or an error page. */
async function outcomeOf(visitor: Browser, url: URL, method = "GET"): Promise<string> {
  const posted = method === "POST" ? await visitor.post(url.pathname, Object.fromEntries(url.searchParams)) : undefined;
  const response = await visitor.open(posted?.location ?? url.href);
  const { location, status } = response;
  if (location === "") {
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    return `page ${status} ${/<code>([a-z_]*)<\/code>/.exec(response.text)?.[1]}`;
  }
  if (location.includes("/ui/sign-in/")) return "sign-in";
  const callback = new URL(location);
  expect(callback.origin + callback.pathname).toBe(app.redirectUri);
  const answer = callback.searchParams;
  expect(answer.get("iss")).toBe(service.config.publicUrl);
  if (url.searchParams.getAll("state").length < 2) expect(answer.get("state")).toBe(url.searchParams.get("state"));
  return answer.get("error") ?? (answer.has("code") ? "code" : "nothing");
}

/** Parameters of a request; undefined omits one. */
type Parameters = Record<string, string | undefined>;

const NEVER = "eyJhbGciOiJub25lIn0.e30.";

const CASES: readonly [string, { signedIn: boolean; parameters: Parameters; expected: string }][] = [
  ["a new browser signs in", { signedIn: false, parameters: {}, expected: "sign-in" }],
  ["a session is enough", { signedIn: true, parameters: {}, expected: "code" }],
  ["prompt=none without a session", { signedIn: false, parameters: { prompt: "none" }, expected: "login_required" }],
  ["prompt=none with a session", { signedIn: true, parameters: { prompt: "none" }, expected: "code" }],
  ["prompt=login", { signedIn: true, parameters: { prompt: "login" }, expected: "sign-in" }],
  ["prompt=select_account", { signedIn: true, parameters: { prompt: "select_account" }, expected: "sign-in" }],
  ["prompt=consent asks nothing", { signedIn: true, parameters: { prompt: "consent" }, expected: "code" }],
  ["prompt=none login", { signedIn: true, parameters: { prompt: "none login" }, expected: "invalid_request" }],
  ["an unknown prompt", { signedIn: true, parameters: { prompt: "dance" }, expected: "invalid_request" }],
  ["max_age that is over", { signedIn: true, parameters: { max_age: "1" }, expected: "sign-in" }],
  ["max_age=0", { signedIn: true, parameters: { max_age: "0" }, expected: "sign-in" }],
  ["max_age that is not over", { signedIn: true, parameters: { max_age: "10000" }, expected: "code" }],
  ["a negative max_age", { signedIn: true, parameters: { max_age: "-1" }, expected: "invalid_request" }],
  [
    "max_age with prompt=none",
    { signedIn: true, parameters: { max_age: "1", prompt: "none" }, expected: "login_required" },
  ],
  [
    "the user's id_token_hint",
    { signedIn: true, parameters: { id_token_hint: "own", prompt: "none" }, expected: "code" },
  ],
  ["another user's id_token_hint", { signedIn: true, parameters: { id_token_hint: "foreign" }, expected: "sign-in" }],
  [
    "another user's id_token_hint with prompt=none",
    { signedIn: true, parameters: { id_token_hint: "foreign", prompt: "none" }, expected: "login_required" },
  ],
  ["an unsigned id_token_hint", { signedIn: true, parameters: { id_token_hint: NEVER }, expected: "invalid_request" }],
  ["no nonce", { signedIn: true, parameters: { nonce: undefined }, expected: "code" }],
  ["no state", { signedIn: true, parameters: { state: undefined }, expected: "code" }],
  [
    "no PKCE",
    {
      signedIn: true,
      parameters: { code_challenge: undefined, code_challenge_method: undefined },
      expected: "invalid_request",
    },
  ],
  ["a short code_challenge", { signedIn: true, parameters: { code_challenge: "abc" }, expected: "invalid_request" }],
  ["no response_type", { signedIn: true, parameters: { response_type: undefined }, expected: "invalid_request" }],
  [
    "an unknown response_mode",
    { signedIn: true, parameters: { response_mode: "pigeon" }, expected: "unsupported_response_mode" },
  ],
  ["no request object", { signedIn: true, parameters: { request: NEVER }, expected: "invalid_request_object" }],
  [
    "a request_uri",
    { signedIn: true, parameters: { request_uri: "https://app.example.com/r" }, expected: "request_uri_not_supported" },
  ],
  ["a registration", { signedIn: true, parameters: { registration: "{}" }, expected: "registration_not_supported" }],
  ["claims that are no JSON", { signedIn: true, parameters: { claims: "{" }, expected: "invalid_request" }],
  ["claims that are no object", { signedIn: true, parameters: { claims: "[]" }, expected: "invalid_request" }],
  ["an unknown scope", { signedIn: true, parameters: { scope: "openid blood_type" }, expected: "code" }],
  ["an unknown parameter", { signedIn: true, parameters: { weather: "fine" }, expected: "code" }],
  [
    "ui_locales, display and acr_values",
    { signedIn: true, parameters: { ui_locales: "de fr", display: "page", acr_values: "1 2" }, expected: "code" },
  ],
  [
    "the application's own organization",
    { signedIn: true, parameters: { scope: "openid urn:signet:org:id:own" }, expected: "code" },
  ],
  [
    "another organization",
    { signedIn: true, parameters: { scope: "openid urn:signet:org:id:other" }, expected: "invalid_scope" },
  ],
  [
    "an organization that is no id",
    { signedIn: true, parameters: { scope: "openid urn:signet:org:id:x" }, expected: "invalid_scope" },
  ],
  ["no client_id", { signedIn: true, parameters: { client_id: undefined }, expected: "page 400 invalid_request" }],
  [
    "an unknown client_id",
    { signedIn: true, parameters: { client_id: createId() }, expected: "page 400 invalid_client" },
  ],
  [
    "a client_id that is no id",
    { signedIn: true, parameters: { client_id: "x" }, expected: "page 400 invalid_client" },
  ],
  [
    "no redirect_uri",
    { signedIn: true, parameters: { redirect_uri: undefined }, expected: "page 400 invalid_request" },
  ],
  [
    "an unregistered redirect_uri",
    {
      signedIn: true,
      parameters: { redirect_uri: "https://evil.example.com/" },
      expected: "page 400 invalid_redirect_uri",
    },
  ],
  [
    "a redirect_uri that begins like the registered one",
    {
      signedIn: true,
      parameters: { redirect_uri: "https://app.example.com/callback/x" },
      expected: "page 400 invalid_redirect_uri",
    },
  ],
  [
    "a redirect_uri with another query",
    {
      signedIn: true,
      parameters: { redirect_uri: "https://app.example.com/callback?a=b" },
      expected: "page 400 invalid_redirect_uri",
    },
  ],
  [
    "a redirect_uri in another case",
    {
      signedIn: true,
      parameters: { redirect_uri: "https://app.example.com/Callback" },
      expected: "page 400 invalid_redirect_uri",
    },
  ],
];

describe.each(["GET", "POST"])("an authorization request by %s", (method) => {
  test.each(CASES)("%s", async (_title, { signedIn, parameters, expected }) => {
    const { url } = createRequest(app);
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined) url.searchParams.delete(name);
      else url.searchParams.set(name, fillIn(value));
    }
    expect(await outcomeOf(signedIn ? browser : newBrowser(service), url, method)).toBe(expected);
  });
});

function fillIn(value: string): string {
  if (value === "own") return idToken;
  if (value === "foreign") return foreignIdToken;
  return value.replace("id:own", `id:${service.orgId}`).replace("id:other", `id:${otherOrgId}`);
}

test.each(["client_id", "redirect_uri", "scope", "state", "nonce", "response_type", "code_challenge", "prompt"])(
  "the parameter %s is rejected if it is given twice",
  async (name) => {
    const { url } = createRequest(app, { prompt: "none" });
    url.searchParams.append(name, url.searchParams.get(name) ?? "");
    expect(await outcomeOf(browser, url)).toMatch(/invalid_request$/);
  },
);

test("claims are returned only if they are requested", async () => {
  const claims = { id_token: { email: null, name: { essential: true } }, userinfo: { phone_number: null } };
  const tokens = await signInAndRedeem(service, browser, app, userId, { claims: JSON.stringify(claims) });
  expect(tokens.claims()).toMatchObject({ email: "ada@example.com", name: "Ada Lovelace" });
  const plain = await signInAndRedeem(service, browser, app, userId, { scope: "openid email" });
  expect(Object.keys(plain.claims() ?? {}).sort()).toEqual(
    ["acr", "amr", "at_hash", "aud", "auth_time", "exp", "iat", "iss", "nonce", "sub"].filter(
      (name) => name in (plain.claims() ?? {}),
    ),
  );
  expect(plain.claims()).not.toHaveProperty("email");
});

test("a user who authenticates again gets a new auth_time, session id and cookie", async () => {
  const own = newBrowser(service);
  const first = await signInAndRedeem(service, own, app, userId);
  const cookie = own.jar().find(([name]) => name === "signet-session")?.[1];
  await makeOlder(userId);
  const request = createRequest(app, { prompt: "login" });
  const sentTo = await own.open(request.url.href);
  expect(await findRequest(service, own, sentTo.location)).toMatchObject({ expectedUserId: userId });
  const callback = new URL((await completeSignIn(service, own, sentTo, userId)).location);
  const second = await redeem(service, app, callback, request);
  expect(Number(second.claims()?.auth_time)).toBeGreaterThanOrEqual(Number(first.claims()?.auth_time));
  expect(own.jar().find(([name]) => name === "signet-session")?.[1]).not.toBe(cookie);
});

test("the page gets the application, the organization, the user and the language", async () => {
  const { url } = createRequest(app, { login_hint: "ada", ui_locales: "it de-CH", id_token_hint: foreignIdToken });
  const { location } = await newBrowserAt(url);
  expect(location).toContain(`app=${app.id}`);
  const own = newBrowser(service);
  const request = await findRequest(service, own, (await own.open(url.href)).location);
  expect(request).toMatchObject({
    app: { id: app.id, name: "Wiki" },
    org: { id: service.orgId, shownName: undefined },
    loginHint: "ada",
    language: "de",
    expectedUserId: expect.not.stringMatching(userId),
  });
});

async function newBrowserAt(url: URL) {
  return newBrowser(service).open(url.href);
}

test("a sign-in belongs to the browser that started it", async () => {
  const own = newBrowser(service);
  const { location } = await own.open(createRequest(app).url.href);
  expect(await findRequest(service, own, location)).toBeDefined();
  expect(await findRequest(service, newBrowser(service), location)).toBeUndefined();
  const [name, value] = own.jar().find(([cookie]) => cookie === "signet-interaction") ?? ["", ""];
  const id = new URL(location, service.config.publicUrl).pathname.split("/").at(-1) ?? "";
  for (const forged of [`${name}=${value}`, `${name}=${value}; ${name}.sig=AAAA`, `${name}=${value}; ${name}.sig=`]) {
    expect(await service.interactions.find(id, forged)).toBeUndefined();
  }
});

test("two sign-ins in two tabs of one browser both succeed", async () => {
  const own = newBrowser(service);
  const requests = [createRequest(app), createRequest(instanceApp)] as const;
  const first = await own.open(requests[0].url.href);
  const second = await own.open(requests[1].url.href);
  const callbacks = [
    await completeSignIn(service, own, first, userId),
    await completeSignIn(service, own, second, userId),
  ];
  for (const [index, party] of [app, instanceApp].entries()) {
    const tokens = await redeem(
      service,
      party,
      new URL(callbacks[index]?.location ?? ""),
      requests[index] ?? requests[0],
    );
    expect(tokens.claims()?.sub).toBe(userId);
  }
});

test("a user who cancels returns to the application with access_denied", async () => {
  const own = newBrowser(service);
  const request = createRequest(app);
  const found = await findRequest(service, own, (await own.open(request.url.href)).location);
  if (found === undefined) throw new Error("there is no sign-in");
  const response = await own.open(await service.interactions.decline(found));
  expect(new URL(response.location).searchParams.get("error")).toBe("access_denied");
});

test("a completed sign-in cannot be continued again, or in another browser", async () => {
  const own = newBrowser(service);
  const found = await findRequest(service, own, (await own.open(createRequest(app).url.href)).location);
  if (found === undefined) throw new Error("there is no sign-in");
  const returnTo = await service.interactions.finish(found, {
    userId,
    sequence: 1n,
    passwordHash: null,
    initialized: true,
    methods: ["pwd"],
    remember: false,
  });
  expect((await newBrowser(service).open(returnTo)).status).toBe(400);
  expect((await own.open(returnTo)).location).toContain("code=");
  const again = await own.open(returnTo);
  expect(again.status).toBe(400);
  expect(again.text).toContain("This sign-in has expired");
});

test("a user has the time of the last sign-in, by which lists can be sorted", async () => {
  const [never, earlier, later] = [
    await importAda(service, VERIFIED),
    await importAda(service, VERIFIED),
    await importAda(service, VERIFIED),
  ];
  const { lastSignIn } = (await call(service, "GetUserByID", { id: never })).user as JsonObject;
  expect(lastSignIn).toBeUndefined();
  const before = service.clock();
  for (const user of [earlier, later]) await signInAndRedeem(service, newBrowser(service), app, user);
  const { result } = await call(service, "ListUsers", {
    sortingColumn: "USER_FIELD_NAME_LAST_SIGN_IN",
    queries: [{ inUserIdsQuery: { userIds: [later, earlier, never] } }],
    query: { asc: true },
  });
  const users = result as { id: string; lastSignIn?: string }[];
  expect(users.map(({ id }) => id)).toEqual([never, earlier, later]);
  expect(Date.parse(users[1]?.lastSignIn ?? "")).toBeGreaterThanOrEqual(before.getTime());
});

describe("the organization of a sign-in", () => {
  test("is the application's organization: a user of another one cannot complete it", async () => {
    const own = newBrowser(service);
    const response = await own.open(createRequest(app).url.href);
    await expect(completeSignIn(service, own, response, otherUserId)).rejects.toMatchObject({
      reason: "USER_NOT_FOUND",
    });
  });

  test("is requested by a scope at an application of the instance", async () => {
    const scope = `openid urn:signet:org:id:${otherOrgId}`;
    const tokens = await signInAndRedeem(service, newBrowser(service), instanceApp, otherUserId, { scope });
    expect(tokens.claims()?.sub).toBe(otherUserId);
    const own = newBrowser(service);
    const response = await own.open(createRequest(instanceApp).url.href);
    await expect(completeSignIn(service, own, response, otherUserId)).rejects.toMatchObject({
      reason: "USER_NOT_FOUND",
    });
  });

  test("is by default the one of the first start, whatever its name", async () => {
    const rename = (name: string) => call(service, "UpdateOrg", { name });
    await rename("Acme");
    try {
      const tokens = await signInAndRedeem(service, newBrowser(service), instanceApp, userId);
      expect(tokens.claims()?.sub).toBe(userId);
    } finally {
      await rename("default");
    }
  });

  test("requires a new sign-in if the session's user belongs to another one, whose user replaces the old", async () => {
    const own = newBrowser(service);
    const before = await signInAndRedeem(service, own, app, userId);
    const scope = `openid urn:signet:org:id:${otherOrgId}`;
    expect(await outcomeOf(own, createRequest(app, { prompt: "none" }).url)).toBe("code");
    const request = createRequest(instanceApp, { scope });
    const sentTo = await own.open(request.url.href);
    expect(sentTo.location).toContain("/ui/sign-in/");
    const returned = await completeSignIn(service, own, sentTo, otherUserId);
    expect(returned.status).toBe(303);
    const tokens = await redeem(service, instanceApp, new URL(returned.location), request);
    expect(tokens.claims()?.sub).toBe(otherUserId);
    // The first user is signed out.
    expect(await outcomeOf(own, createRequest(app, { prompt: "none" }).url)).toBe("login_required");
    const userinfo = await fetch(`${service.origin}/oidc/v1/userinfo`, {
      headers: { authorization: `Bearer ${before.access_token}` },
    });
    expect(userinfo.status).toBe(401);
  });
});

test.each(["locked", "inactive"] as const)("a session of a user who is %s signs nobody in", async (state) => {
  const own = newBrowser(service);
  const user = await importAda(service, VERIFIED);
  await signInAndRedeem(service, own, app, user);
  const began = await newBrowser(service).open(createRequest(app).url.href);
  await service.db.updateTable("users").set({ state }).where("id", "=", user).execute();
  expect(await outcomeOf(own, createRequest(app, { prompt: "none" }).url)).toBe("login_required");
  expect(await outcomeOf(own, createRequest(app).url)).toBe("sign-in");
  expect(began.location).toContain("/ui/sign-in/");
  const other = newBrowser(service);
  const response = await other.open(createRequest(app).url.href);
  await expect(completeSignIn(service, other, response, user)).rejects.toMatchObject({ reason: "USER_NOT_FOUND" });
});

test("sign-ins and sign-outs are events of the user", async () => {
  const own = newBrowser(service);
  const user = await importAda(service, VERIFIED);
  const { id_token } = await signInAndRedeem(service, own, app, user);
  await own.open(`/oidc/v1/end_session?id_token_hint=${id_token}`);
  const events = await service.db
    .selectFrom("events")
    .select(["type", "payload", "editor_id", "sequence"])
    .where("aggregate_id", "=", user)
    .where("type", "like", "user.human.signed.%")
    .orderBy("sequence")
    .execute();
  expect(events).toMatchObject([
    { type: "user.human.signed.in", payload: { appId: app.id, methods: ["pwd"] }, editor_id: user },
    { type: "user.human.signed.out", payload: {}, editor_id: user },
  ]);
  const { sequence } = await service.db
    .selectFrom("users")
    .select("sequence")
    .where("id", "=", user)
    .executeTakeFirstOrThrow();
  expect(events.at(-1)?.sequence).toBe(sequence);
});

test("the account page's sign-in creates a session and no usable code", async () => {
  const own = newBrowser(service);
  const callback = await signIn(service, own, service.sessions.signInUrl({}), userId);
  expect(callback.pathname).toBe("/ui/account/signed-in");
  const session = await service.sessions.find(own.cookies("/ui/account"));
  expect(session).toMatchObject({ userId });
  const listed = async () => (await service.sessions.list(userId)).sessions.find(({ id }) => id === session?.id);
  expect(await listed()).toMatchObject({ appNames: [] });
  await signInAndRedeem(service, own, app, userId);
  expect(await service.sessions.find(own.cookies("/ui/account"))).toEqual(session);
  expect(await listed()).toMatchObject({ appNames: ["Wiki"] });
  expect((await service.sessions.list(userId)).apps).toContainEqual(
    expect.objectContaining({ id: app.id, name: "Wiki" }),
  );
  await service.sessions.end(otherUserId, [session?.id ?? ""]);
  expect(await service.sessions.find(own.cookies("/ui/account"))).toBeDefined();
  await service.sessions.end(userId, [session?.id ?? ""]);
  expect(await service.sessions.find(own.cookies("/ui/account"))).toBeUndefined();
});
