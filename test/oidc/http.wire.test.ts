import { connect } from "node:http2";
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import { createPort, type Port } from "../../src/http/port.ts";
import { createHasher } from "../../src/passwords/hasher.ts";
import { createBrowser } from "../support/browsers/browser.ts";
import { askHttp1, askHttp2, type HttpResponse, type RawRequest } from "../support/clients/raw-calls.ts";
import {
  createRequest,
  newBrowser,
  type RelyingParty,
  redeem,
  signIn,
  signInAndRedeem,
} from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

const PUBLIC_URL = "https://id.example.com";
/** What a client could send to inject its own host into our URLs. */
const FORGED = {
  host: "evil.example.com",
  "x-forwarded-host": "evil.example.com",
  "x-forwarded-proto": "gopher",
  "x-forwarded-for": "192.0.2.1",
  forwarded: "host=evil.example.com;proto=http",
  "x-original-url": "/evil",
};

let service: TestService;
let app: RelyingParty;
let userId: string;

beforeAll(async () => {
  ({ service, app, userId } = await startProvider("postgres", { environment: { PUBLIC_URL } }));
});
afterAll(() => service.close());

const WIRES: Record<string, (request: RawRequest) => Promise<HttpResponse>> = {
  "HTTP/1.1": (request) => askHttp1(service.port, request),
  "HTTP/2 in clear text": async (request) => {
    const session = connect(service.origin);
    const { host, ...headers } = request.headers ?? {};
    try {
      return await askHttp2(session, { ...request, headers: { ...headers, ...(host && { ":authority": host }) } });
    } finally {
      session.close();
    }
  },
};

test.each(Object.keys(WIRES))(
  "addresses are those of PUBLIC_URL, whatever host a client names over %s",
  async (wire) => {
    const ask = WIRES[wire];
    if (ask === undefined) throw new Error("there is no such wire");
    for (const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]) {
      const { http, body } = await ask({ method: "GET", path, headers: FORGED });
      expect(http).toBe(200);
      const text = body.toString();
      expect(text).not.toMatch(/evil|gopher/);
      expect(JSON.parse(text)).toMatchObject({
        issuer: PUBLIC_URL,
        authorization_endpoint: `${PUBLIC_URL}/oauth/v2/authorize`,
        token_endpoint: `${PUBLIC_URL}/oauth/v2/token`,
        jwks_uri: `${PUBLIC_URL}/oauth/v2/keys`,
        userinfo_endpoint: `${PUBLIC_URL}/oidc/v1/userinfo`,
        introspection_endpoint: `${PUBLIC_URL}/oauth/v2/introspect`,
        revocation_endpoint: `${PUBLIC_URL}/oauth/v2/revoke`,
        end_session_endpoint: `${PUBLIC_URL}/oidc/v1/end_session`,
        device_authorization_endpoint: `${PUBLIC_URL}/oauth/v2/device_authorization`,
        code_challenge_methods_supported: ["S256"],
        response_types_supported: ["code"],
        backchannel_logout_supported: true,
      });
    }
    const { url } = createRequest(app);
    const { http, headers } = await ask({ method: "GET", path: url.pathname + url.search, headers: FORGED });
    expect(http).toBe(303);
    expect(String(headers.location)).toMatch(/^\/ui\/sign-in\//);
    for (const cookie of headers["set-cookie"] ?? []) expect(cookie).toMatch(/; secure; httponly/i);
  },
);

test.each(Object.keys(WIRES))("a token request needs no content-length over %s", async (wire) => {
  const request = createRequest(app);
  const callback = await signIn(service, newBrowser(service), request.url, userId);
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: callback.searchParams.get("code") ?? "",
    redirect_uri: app.redirectUri,
    code_verifier: request.checks.pkceCodeVerifier ?? "",
  }).toString();
  const half = Math.floor(form.length / 2);
  const answer = await WIRES[wire]?.({
    path: "/oauth/v2/token",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString("base64")}`,
    },
    body: [Buffer.from(form.slice(0, half)), Buffer.from(form.slice(half))],
  });
  expect([answer?.http, JSON.parse(String(answer?.body)).token_type]).toEqual([200, "Bearer"]);
});

test("cookies over https have the prefixes that bind them to the host and to TLS", async () => {
  const browser = newBrowser(service);
  const { url } = createRequest(app);
  const response = await browser.open(url.href);
  expect(response.headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual([
    "__Secure-signet-interaction",
    "__Secure-signet-interaction.sig",
    "__Secure-signet-resume",
    "__Secure-signet-resume.sig",
  ]);
  const callback = await signIn(service, newBrowser(service), url, userId, { remember: true });
  expect(callback.searchParams.has("code")).toBe(true);
});

test.each([
  [false, /^__Host-signet-session=[^;]+; path=\/; samesite=lax; secure; httponly$/i],
  [true, /^__Host-signet-session=[^;]+; path=\/; samesite=lax; secure; httponly; expires=/i],
])("the browser keeps the session when it closes: %s", async (remember, expected) => {
  const browser = newBrowser(service);
  const { location } = await browser.open(createRequest(app).url.href);
  const { pathname } = new URL(location, PUBLIC_URL);
  const found = await service.interactions.find(pathname.split("/").at(-1) ?? "", browser.cookies(pathname));
  if (found === undefined) throw new Error("there is no sign-in");
  const returned = await browser.open(
    await service.interactions.finish(found, {
      userId,
      sequence: 1n,
      passwordHash: null,
      initialized: true,
      methods: ["pwd"],
      remember,
    }),
  );
  expect(returned.headers.getSetCookie()).toContainEqual(expect.stringMatching(expected));
});

test("two processes share sign-ins, sessions, keys and tokens", async () => {
  const passwords = createHasher({ scheme: "bcrypt", cost: 4, threads: 1 });
  const parts = { config: service.config, db: service.db, pagesDb: service.pagesDb, keyring: service.keyring };
  const log = pino({ level: "silent" });
  const second = createApp({ ...parts, passwords, clock: () => new Date(), log, onQueued() {} });
  const port: Port = createPort({ handler: second.handler });
  const { port: number } = await port.listen(0, "127.0.0.1");
  const other = { ...service, origin: `http://127.0.0.1:${number}` };
  const browser = newBrowser(service);
  const request = createRequest(app);
  const { location } = await browser.open(request.url.href);
  const { pathname } = new URL(location, PUBLIC_URL);
  const found = await second.interactions.find(pathname.split("/").at(-1) ?? "", browser.cookies(pathname));
  if (found === undefined) throw new Error("the other process does not find the sign-in");
  const returnTo = await second.interactions.finish(found, {
    userId,
    sequence: 1n,
    passwordHash: null,
    initialized: true,
    methods: ["pwd"],
    remember: false,
  });
  const callback = new URL((await browser.open(returnTo)).location);
  expect((await redeem(service, app, callback, request)).claims()?.sub).toBe(userId);
  const keysOf = async (origin: string) => (await (await fetch(`${origin}/oauth/v2/keys`)).json()) as object;
  expect(await keysOf(other.origin)).toEqual(await keysOf(service.origin));
  expect(createBrowser(other.origin, PUBLIC_URL).jar()).toEqual([]);
  await port.drain(1_000);
  await passwords.close();
});

test("the log has neither queries nor ids of sign-ins", async () => {
  await signInAndRedeem(service, newBrowser(service), app, userId);
  const paths = service.logs.filter(({ msg }) => msg === "oidc").map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["/oauth/v2/authorize", "/oauth/v2/authorize/:id", "/oauth/v2/token"]));
  expect(paths.every((path) => /^[/a-z0-9_.:-]+$/i.test(String(path)) && !String(path).includes("?"))).toBe(true);
});

test.each([
  ["GET", "/oauth/v2/unknown", 404],
  ["GET", "/oidc/v1/unknown", 404],
  ["PUT", "/oauth/v2/token", 405],
  ["GET", "/oauth/v2/token", 405],
  ["GET", "/oauth/v2/authorize/unknown", 400],
  ["GET", "/oidc/v1/userinfo", 401],
])("%s %s results in %i", async (method, path, status) => {
  expect((await fetch(service.origin + path, { method })).status).toBe(status);
});
