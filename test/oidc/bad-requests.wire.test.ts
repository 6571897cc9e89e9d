import { connect } from "node:http2";
import { sql } from "kysely";
import { PATHS } from "../../src/oidc/routes.ts";
import { askHttp2 } from "../support/clients/raw-calls.ts";
import { createRelyingParty, createRequest, newBrowser, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

let service: TestService;
let app: RelyingParty;
let device: RelyingParty;

beforeAll(async () => {
  ({ service, app } = await startProvider("postgres"));
  device = await createRelyingParty(service, {
    auth_method: "none",
    grant_types: ["urn:ietf:params:oauth:grant-type:device_code"],
  });
});
afterAll(() => service?.close());

const FORM = "application/x-www-form-urlencoded";

const EXTRA_HEADERS: Readonly<Record<string, Record<string, string>>> = {
  POST: { "content-type": FORM },
  OPTIONS: { origin: "https://app.example.com", "access-control-request-method": "POST" },
};

async function ask(method: string, path: string, { form = "", accept = "*/*" } = {}) {
  const init = { method, headers: { accept, ...EXTRA_HEADERS[method] } };
  const body = method === "POST" ? { body: form } : {};
  const response = await fetch(service.origin + path, { ...init, ...body, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A valid request of a browser, with one more parameter. */
function authorizePath(parameter: string): string {
  const { pathname, searchParams } = createRequest(app).url;
  searchParams.delete(parameter.split("=")[0] ?? "");
  return `${pathname}?${searchParams}&${parameter}`;
}

const NUL_IN_QUERY: readonly [string, () => string][] = [
  ...["state", "nonce", "login_hint", "ui_locales", "acr_values", "display", "claims_locales"].map(
    (name): [string, () => string] => [`authorize's ${name}`, () => authorizePath(`${name}=a%00b`)],
  ),
  ["end_session's state", () => "/oidc/v1/end_session?state=a%00b"],
  ["a form's user code", () => "/ui/device?user_code=a%00b"],
  ["a link's code", () => "/ui/init?code=a%00b"],
  ["a sign-in's application", () => "/ui/sign-in/unknown?app=a%00b"],
];

test.each(NUL_IN_QUERY)("NUL in %s results in 400", async (_where, path) => {
  const html = await ask("GET", path(), { accept: "text/html" });
  expect([html.status, html.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"]);
  expect(html.text).toMatch(/<code>\w+: must not contain NUL<\/code>/);
  expect(html.headers.get("x-request-id")).toMatch(/./);
});

test.each([
  ["/oauth/v2/device_authorization", "login_hint"],
  ["/oauth/v2/token", "code"],
  ["/oauth/v2/introspect", "token"],
  ["/oauth/v2/revoke", "token"],
  ["/oauth/v2/authorize", "state"],
  ["/oidc/v1/end_session", "state"],
  ["/oidc/v1/end_session/confirm", "xsrf"],
  ["/oidc/v1/userinfo", "scope"],
  ["/ui/device", "user_code"],
])("NUL in a form to %s results in 400", async (path, name) => {
  const { status, text } = await ask("POST", path, { form: `client_id=${device.id}&${name}=a%00b` });
  expect([status, JSON.parse(text)]).toEqual([
    400,
    { error: "invalid_request", error_description: `${name}: must not contain NUL` },
  ]);
});

test("NUL in a form of a page results in 400", async () => {
  const response = await fetch(`${service.origin}/ui/init`, {
    method: "POST",
    headers: { "content-type": FORM, "sec-fetch-site": "same-origin" },
    body: "code=a%00b",
  });
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining("code: must not contain NUL"),
  ]);
});

test.each([
  '{"userinfo":{"a\\u0000":null}}',
  '{"id_token":{"acr":{"value":"\\u0000"}}}',
  '{"id_token":{"a":{"value":"\\ud800"}}}',
])("claims that cannot be stored are rejected: %s", async (claims) => {
  const { location } = await newBrowser(service).open(authorizePath(`claims=${encodeURIComponent(claims)}`));
  expect(new URL(location).searchParams.get("error_description")).toContain("claims must not contain NUL");
});

test("claims that are nested too deeply are rejected", async () => {
  const claims = `{"userinfo":{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`;
  const { location } = await newBrowser(service).open(authorizePath(`claims=${claims}`));
  const { error, error_description } = Object.fromEntries(new URL(location).searchParams);
  expect([error, error_description]).toEqual(["invalid_request", "claims must not have more than 20 levels"]);
});

test.each(PATHS)("a query of more than 100 parameters, or of invalid UTF-8, is rejected on %s", async (path) => {
  const target = path.endsWith("/") ? `${path}id` : path;
  for (const query of ["a&".repeat(101), "a=%ff", "a=%"]) {
    const { status } = await ask("GET", `${target}?${query}`);
    const { status: posted } = await ask("POST", `${target}?${query}`);
    expect(new Set([status, posted])).toContain(400);
    expect([400, 405]).toEqual(expect.arrayContaining([status, posted]));
  }
});

test("a form of more than 100 parameters is rejected", async () => {
  const { status, text } = await ask("POST", "/oauth/v2/token", { form: "a&".repeat(101) });
  expect([status, text]).toEqual([400, expect.stringContaining("must not have more than 100 parameters")]);
});

test.each([
  ["/.well-known/openid-configuration", "GET, HEAD, OPTIONS"],
  ["/.well-known/oauth-authorization-server", "GET, HEAD, OPTIONS"],
  ["/oauth/v2/authorize", "GET, HEAD, POST"],
  ["/oauth/v2/authorize/id", "GET, HEAD"],
  ["/oauth/v2/token", "POST, OPTIONS"],
  ["/oauth/v2/introspect", "POST, OPTIONS"],
  ["/oauth/v2/revoke", "POST, OPTIONS"],
  ["/oauth/v2/keys", "GET, HEAD, OPTIONS"],
  ["/oauth/v2/device_authorization", "POST, OPTIONS"],
  ["/ui/device", "GET, HEAD, POST"],
  ["/ui/device/id", "GET, HEAD"],
  ["/oidc/v1/userinfo", "GET, HEAD, POST, OPTIONS"],
  ["/oidc/v1/end_session", "GET, HEAD, POST"],
  ["/oidc/v1/end_session/confirm", "POST"],
  ["/oidc/v1/end_session/success", "GET, HEAD"],
])("%s allows %s, and the provider serves no other method", async (path, allow) => {
  for (const method of ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]) {
    const { status, headers } = await ask(method, path);
    const isAllowed = allow.split(", ").includes(method);
    expect([method, status === 405, headers.get("allow")]).toEqual([method, !isAllowed, isAllowed ? null : allow]);
    if (isAllowed) expect(status).not.toBe(404);
  }
});

test("a path with a trailing slash does not exist, so that it escapes no limit", async () => {
  const { search } = createRequest(app).url;
  for (const path of ["/oauth/v2/authorize/", "/ui/device/a/b"]) {
    expect((await ask("GET", path + search)).status).toBe(404);
  }
});

test("a user may type a slash after the path of the device page", async () => {
  const { status, headers } = await ask("GET", "/ui/device/?user_code=BBBB-BBBB");
  expect([status, headers.get("location")]).toEqual([308, "/ui/device?user_code=BBBB-BBBB"]);
});

test.each(["HTTP/1.1", "HTTP/2"])("a form that is too large results in 413 over %s", async (wire) => {
  const form = `scope=${"x".repeat(57_344)}`;
  if (wire === "HTTP/1.1") {
    expect((await ask("POST", "/oauth/v2/token", { form })).status).toBe(413);
    expect((await ask("POST", "/oauth/v2/authorize", { form: form.slice(0, 8_193) })).status).toBe(413);
    return;
  }
  const session = connect(service.origin);
  const headers = { "content-type": FORM };
  const { http, body } = await askHttp2(session, { path: "/oauth/v2/token", headers, body: Buffer.from(form) });
  session.close();
  expect([http, JSON.parse(body.toString())]).toEqual([413, expect.objectContaining({ error: "invalid_request" })]);
});

test("a failure that the provider does not handle has a request id, in the response and in the log", async () => {
  const browser = newBrowser(service);
  await browser.open("/ui/device");
  await sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`.execute(
    service.db,
  );
  await sql`create trigger fail before insert or update on oidc_artifacts for each row execute function fail()`.execute(
    service.db,
  );
  try {
    const { status, headers } = await browser.post("/ui/device", { xsrf: "wrong", user_code: "BBBB-BBBB" });
    expect([status, headers.get("content-type")]).toEqual([500, "text/plain; charset=utf-8"]);
    const requestId = headers.get("x-request-id");
    expect(requestId).toMatch(/./);
    expect(service.logs).toContainEqual(expect.objectContaining({ requestId, msg: "the OpenID provider failed" }));
  } finally {
    await sql`drop function fail cascade`.execute(service.db);
  }
});

test("the page that posts a response to the application cannot be framed, and runs only its own script", async () => {
  const { status, headers, text } = await ask("GET", authorizePath("response_mode=form_post&prompt=none"));
  expect([status, text]).toEqual([400, expect.stringContaining('name="error" value="login_required"')]);
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});
