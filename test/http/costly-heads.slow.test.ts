import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { PATHS, ROUTES as PROVIDER_ROUTES } from "../../src/oidc/routes.ts";
import { PAGE_PATHS } from "../../src/web/create-pages.ts";
import { VISITED } from "../support/browsers/visitor.ts";
import { cpuMsOf, MAX_MS } from "../support/cpu-time.ts";
import { createRelyingParty, createRequest, newBrowser, type RelyingParty } from "../support/oidc/relying-party.ts";
import { startProvider } from "../support/oidc/start-provider.ts";
import type { TestService } from "../support/servers/service.ts";

/** The size of a head just below the limit of 16 KiB. */
const HEAD_BYTES = 16_000;
const GRANTS = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"];
const FORM = "application/x-www-form-urlencoded";

let service: TestService;
let app: RelyingParty;
/** A public application, so that a request with its id passes the check of the client. */
let device: RelyingParty;

beforeAll(async () => {
  ({ service, app } = await startProvider("postgres", { environment: VISITED }));
  device = await createRelyingParty(service, { auth_method: "none", type: "native", grant_types: GRANTS });
});
afterAll(() => service?.close());

function authorizePath(): string {
  const { pathname, search } = createRequest(app).url;
  return pathname + search;
}

/** Repeats a text up to the size of a head, with room for the rest of it. */
function fill(part: string | ((at: number) => string)): string {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < HEAD_BYTES - 1_500; at += 1) {
    const next = typeof part === "string" ? part : part(at);
    parts.push(next);
    length += next.length;
  }
  return parts.join("");
}

let addresses = 0;
/** Each request has its own address, so that no limit of an address makes it cheap. */
function nextAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

interface Head {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request on its own connection. Resolves to its status. */
function send({ method = "GET", target, headers = {}, body = "" }: Head): Promise<number> {
  const lines = Object.entries({
    host: "localhost",
    connection: "close",
    "x-forwarded-for": nextAddress(),
    ...(method === "POST" && { "content-length": "0" }),
    ...headers,
  });
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return new Promise((resolve, reject) => {
    let status = "";
    const socket = connect(service.port, "127.0.0.1", () => socket.write(head + body));
    socket.on("data", (chunk) => {
      if (status.length < 12) status += chunk.toString("latin1", 0, 12);
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(Number(status.slice(9, 12))));
  });
}

/** Sends a request on an HTTP/2 connection. Resolves to its status. */
function sendOverHttp2(session: ClientHttp2Session, { method = "GET", target, headers }: Head): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = { ":method": method, ":path": target, "x-forwarded-for": nextAddress(), ...headers };
    const stream = session.request(sent, { endStream: true });
    let status = 0;
    stream.on("response", (received) => {
      status = Number(received[":status"]);
    });
    stream.on("error", reject).on("close", () => resolve(status));
    stream.resume();
  });
}

const QUERIES: Readonly<Record<string, () => string>> = {
  "one parameter repeated": () => fill("a&"),
  "one parameter with values repeated": () => fill("state=x&"),
  "many parameters": () => fill((at) => `${at.toString(36)}&`),
  "a known parameter repeated": () => fill("user_code&"),
  "encoded characters": () => `state=${fill("%41")}`,
  ...Object.fromEntries(
    Object.entries({
      ui_locales: "x-a+",
      scope: (at: number) => `${at.toString(36)}+`,
      prompt: "login+",
      acr_values: "a+",
      claims_locales: "a+",
      id_token_hint: "a.",
      login_hint: "a@",
      post_logout_redirect_uri: "https://a/",
      redirect_uri: "%2e%2e/",
      resource: "https://a+",
      response_type: "code+",
      response_mode: "query.",
      user_code: "B-",
      client_id: "a",
      request: "a.",
      code: "a.",
      state: "a.",
    }).map(([name, part]) => [`a long ${name}`, () => `${name}=${fill(part)}`]),
  ),
  "one long language": () => `ui_locales=x${fill("-a")}`,
  "claims with many names": () => `claims={"userinfo":{${fill((at) => `"${at}":null,`)}"a":null}}`,
  "claims with many levels": () => `claims=${fill("[")}`,
};

const HEADERS: Readonly<Record<string, () => string>> = {
  accept: () => fill("a/b,"),
  "accept-language": () => fill("a,"),
  "accept-encoding": () => fill("a,"),
  authorization: () => `Bearer ${fill("a.")}`,
  cookie: () => fill("a=;"),
  origin: () => `https://${fill("a.")}`,
  "if-none-match": () => fill('"",'),
  "content-type": () => `application/x-www-form-urlencoded;${fill("a=b;")}`,
  "x-forwarded-for": () => fill("1.1.1.1,"),
  forwarded: () => fill("for=a,"),
  traceparent: () => fill("00-"),
  tracestate: () => fill("a=b,"),
  "access-control-request-headers": () => fill("a,"),
};

const HEADER_CASES: Readonly<Record<string, readonly [string, () => string]>> = {
  ...Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name, [name, value] as const])),
  "accept, with parameters": ["accept", () => fill("text/html;a=b;q=0.5,")],
  "accept-language, with parameters": ["accept-language", () => fill("x-a;q=0.5,")],
  "authorization, with Basic": ["authorization", () => `Basic ${fill("YWFh")}`],
  "cookie, with empty pairs": ["cookie", () => fill(";")],
  "cookie, with spaces": ["cookie", () => fill(" ;")],
  "cookie, with the session's": ["cookie", () => fill("signet-session=a;")],
  "cookie, with a known device": ["cookie", () => `signet-device=${fill("aaaaaaaaaaaaaaaaaaaaaa.")}`],
};

const OTHER_PATHS = [
  "/",
  "/healthz",
  "/readyz",
  "/openapi.json",
  "/docs",
  "/docs/reference.css",
  "/docs/guide",
  "/docs/guide/unknown",
  "/ui/unknown",
  "/ui/sign-in/unknown",
  "/ui/brand/unknown",
  "/ui/idps/unknown/callback",
  "/ui/idps/01a20053-7411-7dd2-820d-13541da552a0/sign-out",
  "/ui/idps/01a20053-7411-7dd2-820d-13541da552a0/signed-out",
  "/management/v1/users/_is_unique",
  "/admin/v1/idps/oidc",
  "/signet.v1.ManagementService/GetUserByID",
  "/grpc.health.v1.Health/Check",
  "/unknown",
];

const ROUTES = [...new Set([...PATHS, ...PAGE_PATHS, ...OTHER_PATHS])].map((path) =>
  path.endsWith("/") && path !== "/" ? `${path}unknown` : path,
);

function headsOf(target: string): [string, Head][] {
  const separator = target.includes("?") ? "&" : "?";
  const own = ["GET", "POST"].flatMap((method): [string, Head][] => [
    ...Object.entries(QUERIES).map(([name, query]): [string, Head] => [
      `${method} with ${name}`,
      { method, target: `${target}${separator}${query()}` },
    ]),
    ...Object.entries(HEADER_CASES).map(([name, [header, value]]): [string, Head] => [
      `${method} with ${name}`,
      { method, target, headers: { [header]: value() } },
    ]),
  ]);
  return [
    ...own,
    ["a long path", { target: target + fill("/a") }],
    ["an encoded path", { target: target + fill("%2f") }],
  ];
}

async function expectCheap(
  heads: readonly [string, Head][],
  sendHead: (head: Head) => Promise<number> = send,
): Promise<void> {
  const costly: string[] = [];
  for (const [name, head] of heads) {
    const ms = await cpuMsOf(() => sendHead(head));
    if (ms > MAX_MS) costly.push(`${name}: ${ms} ms`);
  }
  expect(costly).toEqual([]);
}

test.each(ROUTES)(`a request to %s takes at most ${MAX_MS} ms of the event loop`, async (route) => {
  await expectCheap(headsOf(route));
});

/** Headers whose values the service reads. HTTP/2 does not trim them. */
const READ_HEADERS: readonly string[] = [
  ...Object.keys(HEADERS).filter((name) => name !== "x-forwarded-for"),
  "content-encoding",
  "connect-timeout-ms",
  "grpc-encoding",
  "grpc-timeout",
  "idempotency-key",
  "user-agent",
  "x-service-orgid",
  "x-zitadel-orgid",
];

test.each(ROUTES)(`over HTTP/2, white space in a request to %s takes at most ${MAX_MS} ms`, async (target) => {
  const session = connectHttp2(service.origin);
  const spaces = fill(" ");
  const requests = [
    { method: "GET", type: {} },
    { method: "POST", type: { "content-type": "application/json" } },
    { method: "POST", type: { "content-type": "application/grpc", te: "trailers" } },
  ];
  const heads = READ_HEADERS.flatMap((name) =>
    requests.flatMap(({ method, type }): [string, Head][] => [
      [`${method} with ${name}`, { method, target, headers: { ...type, [name]: `a${spaces}b ` } }],
      [`${method} with ${name} of Bearer`, { method, target, headers: { ...type, [name]: `Bearer${spaces}b c` } }],
    ]),
  );
  await expectCheap(heads, (head) => sendOverHttp2(session, head));
  session.destroy();
});

test(`a valid authorization request with a large parameter takes at most ${MAX_MS} ms`, async () => {
  await expectCheap(headsOf(authorizePath()));
});

test(`a page of a sign-in with many locales takes at most ${MAX_MS} ms`, async () => {
  const browser = newBrowser(service);
  const { location } = await browser.open(`${authorizePath()}&ui_locales=${fill("x-a+")}`);
  const { pathname, search } = new URL(location, service.config.publicUrl);
  const head = { target: pathname + search, headers: { cookie: browser.cookies(pathname) } };
  expect(await send(head)).toBe(200);
  await expectCheap([["the page", head]]);
});

test(`a form with a large parameter takes at most ${MAX_MS} ms`, async () => {
  const large = (part: string) => part.repeat(54_000 / part.length);
  const parameters: readonly (readonly [string, string])[] = [
    ["scope", large("a+")],
    ["scope", Array.from({ length: 12_000 }, (_, at) => at.toString(36)).join("+")],
    ["ui_locales", large("a+")],
    ["acr_values", large("a+")],
    ["claims", `{"userinfo":{${Array.from({ length: 4_500 }, (_, at) => `"${at}":null`)}}}`],
    ["claims", large("[")],
    ["id_token_hint", large("a.")],
    ["token", large("a.")],
    ["code", large("a.")],
    ["code_verifier", large("a")],
    ["device_code", large("a")],
    ["refresh_token", large("a")],
    ["access_token", large("a")],
    ["client_secret", large("a")],
    ["user_code", large("B-")],
  ];
  for (const [name, value] of parameters) {
    const heads = PATHS.flatMap((target) =>
      (target === PROVIDER_ROUTES.token ? GRANTS : GRANTS.slice(0, 1)).map((grant): [string, Head] => {
        const body = `client_id=${device.id}&grant_type=${encodeURIComponent(grant)}&${name}=${value}`;
        const headers = { "content-type": FORM, "content-length": String(body.length) };
        return [`${name} to ${target}`, { method: "POST", target, headers, body }];
      }),
    );
    await expectCheap(heads);
  }
});

test(`a form with many parameters takes at most ${MAX_MS} ms`, async () => {
  const body = "a&".repeat(28_000);
  const headers = { "content-type": FORM, "content-length": String(body.length) };
  const heads = [...PATHS, "/ui/init", "/ui/sign-in/unknown"].map((target): [string, Head] => [
    target,
    { method: "POST", target, headers, body },
  ]);
  await expectCheap(heads);
});

const LARGE_TEXTS: readonly string[] = ["a", "a\u0301\u0316", "\uff21\uff11", "+4179", " ", "=", "\u200d", "a@", '&<"'];

/** The text, repeated up to the size of the largest form, and another character, before which nothing is trimmed. */
function fillForm(text: string, bytes = 60_000): string {
  const encoded = encodeURIComponent(text);
  return `${encoded.repeat(bytes / encoded.length)}!`;
}

test(`a form of a sign-in with a large value takes at most ${MAX_MS} ms`, async () => {
  const browser = newBrowser(service);
  const { location } = await browser.open(authorizePath());
  const { text } = await browser.open(location);
  const action = /<form [^>]*action="(\/ui\/sign-in\/[^"]*)"/.exec(text)?.[1] ?? "";
  const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  expect(hidden.length).toBeGreaterThan(0);
  const fields = hidden.map(([, name, value = ""]) => `${name}=${encodeURIComponent(value)}`);
  const toHead = (target: string, form: string): Head => {
    const headers = { "content-type": FORM, "content-length": String(form.length), cookie: browser.cookies(target) };
    return { method: "POST", target, headers: { ...headers, "sec-fetch-site": "same-origin" }, body: form };
  };
  // A form that is not accepted gets an error, and not a redirect to its page.
  expect(await send(toHead(action, [...fields, "username=ada", "password=wrong"].join("&")))).toBe(303);
  const heads = LARGE_TEXTS.flatMap((large) =>
    [["username"], ["password"], ["username", "password"]].flatMap((names): [string, Head][] => {
      const values = names.map((name) => `${name}=${fillForm(large, 60_000 / names.length)}`);
      const form = [...fields, ...values].join("&");
      return [[`${names} of ${JSON.stringify(large)}`, toHead(action, form)]];
    }),
  );
  await expectCheap(heads);
});

test(`a form of a page with a large value takes at most ${MAX_MS} ms`, async () => {
  const names = ["code", "token", "username", "password", "email", "digits"];
  for (const large of LARGE_TEXTS) {
    const heads = PAGE_PATHS.flatMap((target) =>
      names.map((name): [string, Head] => {
        const body = `${name}=${fillForm(large)}`;
        const headers = {
          "content-type": FORM,
          "content-length": String(body.length),
          "sec-fetch-site": "same-origin",
        };
        return [`${name} of ${JSON.stringify(large)} to ${target}`, { method: "POST", target, headers, body }];
      }),
    );
    await expectCheap(heads);
  }
});
