import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { createAuthenticator } from "../../support/browsers/passkey-authenticator.ts";
import { type Caller, createCaller } from "../../support/clients/callers.ts";
import { HUMAN } from "../../support/clients/requests.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

const ORIGIN = "https://id.example.com";
const SITE = { origin: ORIGIN, rpId: "example.com" };
const PRIVATE = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "x-robots-tag": "noindex",
};

interface TestResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the JSON
  readonly json: any;
}

// test/web/links/embedded.wire.test.ts tests a selection on the embedded database.
describe("on PostgreSQL", () => {
  let service: TestService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService("postgres", {
      PUBLIC_URL: ORIGIN,
      WEBAUTHN_RP_ID: SITE.rpId,
      TRUSTED_PROXIES: "127.0.0.1",
    });
    service.stopClock();
    caller = createCaller("rest", service, service.adminToken);
  });
  afterAll(async () => {
    caller?.close();
    await service?.close();
  });

  let count = 0;

  /** Imports a user. Returns the user's id and the code of the passkey link. */
  async function newLink(profile: object = {}): Promise<{ userId: string; code: string }> {
    const outcome = await caller.call("ImportHumanUser", {
      userName: `ada-${++count}`,
      ...HUMAN,
      profile: { ...HUMAN.profile, ...profile },
      requestPasswordlessRegistration: true,
    });
    if (!outcome.ok) throw new Error(outcome.message);
    const { link } = outcome.message.passwordlessRegistration as { link: string };
    const url = new URL(link);
    expect(`${url.origin}${url.pathname}`).toBe(`${ORIGIN}/ui/passkey`);
    return { userId: String(outcome.message.userId), code: url.searchParams.get("code") ?? "" };
  }

  const open = (code: string, init: RequestInit = {}) =>
    fetch(`${service.origin}/ui/passkey?code=${encodeURIComponent(code)}`, init);

  async function post(path: "options" | "registration", body: unknown, headers: object = {}): Promise<TestResponse> {
    const answer = await fetch(`${service.origin}/ui/passkey/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: ORIGIN, "sec-fetch-site": "same-origin", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), json: await answer.json() };
  }

  async function challengeFor(code: string): Promise<string> {
    const { status, json } = await post("options", { code });
    if (status !== 200) throw new Error(json.message);
    return json.challenge;
  }

  /** Registers a passkey like a browser. */
  async function register(code: string, authenticator = createAuthenticator(SITE)): Promise<TestResponse> {
    return post("registration", { code, response: authenticator.create(await challengeFor(code)) });
  }

  /** A registration without a challenge from the service. */
  const registerUnrequested = (code: string) =>
    post("registration", { code, response: createAuthenticator(SITE).create("AAAA") });

  const passkeysOf = (userId: string) =>
    service.db.selectFrom("passkeys").select(["id", "public_key"]).where("user_id", "=", userId).execute();

  test("the page shows the user's names, and loads only our script", async () => {
    const { code } = await newLink();
    const page = await open(code);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      ...PRIVATE,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    });
    expect(text).toContain("<dd>Ada Lovelace</dd>");
    expect(text).toContain(`<dd>ada-${count}</dd>`);
    expect(text).toMatch(/<noscript><p class="error">This page requires JavaScript/);
    expect(text).not.toContain(code.split(".")[1]);
    expect(text).not.toMatch(/ on\w+=|<script>|style=|javascript:/);
    expect(text.match(/<script/g)).toHaveLength(1);

    const [, address = ""] = /<script type="module" src="([^"]+)">/.exec(text) ?? [];
    const script = await fetch(`${service.origin}${address}`);
    expect(script.status).toBe(200);
    expect(Object.fromEntries(script.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    const other = await fetch(`${service.origin}/ui/passkey.js?v=other`);
    expect(other.headers.get("cache-control")).toBe("no-cache");
  });

  test.each([
    ["de-CH", "de", "Passkey einrichten"],
    ["fr", "fr", "Configurer une clé d’accès"],
    ["es-MX", "es", "Configurar una llave de acceso"],
    ["tlh", "en", "Set up a passkey"],
  ])("the page is in the user's language: %s", async (preferredLanguage, language, title) => {
    const { code } = await newLink({ preferredLanguage });
    const text = await (await open(code)).text();
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`${title}</h1>`);
    await register(code);
    const { json } = await post("options", { code });
    expect(await (await open(code)).text()).toContain(json.message.split(". ")[0]);
  });

  test("names with markup are shown as text", async () => {
    const displayName = `<script>alert("ada")</script>'"&`;
    const { code } = await newLink({ displayName });
    const text = await (await open(code)).text();
    expect(text).toContain("<dd>&lt;script&gt;alert(&quot;ada&quot;)&lt;/script&gt;&#39;&quot;&amp;</dd>");
    expect((await post("options", { code })).json.user.displayName).toBe(displayName);
  });

  test("opening the link changes nothing", async () => {
    const { code } = await newLink();
    const before = await readAll(service);
    for (let times = 0; times < 50; times++) {
      await open(code);
      expect((await open(code, { method: "HEAD" })).status).toBe(200);
    }
    expect(await readAll(service)).toEqual(before);
  });

  test("a passkey is registered, and the link is used up", async () => {
    const { userId, code } = await newLink();
    const authenticator = createAuthenticator(SITE);
    const answer = await register(code, authenticator);
    expect(answer).toEqual({
      status: 200,
      headers: expect.objectContaining({ ...PRIVATE, "content-type": "application/json" }),
      json: { passkeyId: authenticator.credentialId },
    });
    expect(await passkeysOf(userId)).toEqual([{ id: authenticator.credentialId, public_key: authenticator.publicKey }]);
    const events = await service.db
      .selectFrom("events")
      .select(["type", "editor_id", "payload"])
      .where("aggregate_id", "=", userId)
      .orderBy("sequence")
      .execute();
    expect(events.at(-1)).toEqual({
      type: "user.human.passwordless.registered",
      editor_id: userId,
      payload: { passkeyId: authenticator.credentialId },
    });

    const page = await open(code);
    expect(page.status).toBe(410);
    const text = await page.text();
    expect(text).toContain("This link has already been used");
    expect(text).not.toContain("<script");
    for (const again of [await post("options", { code }), await registerUnrequested(code)]) {
      expect(again).toMatchObject({ status: 410, headers: PRIVATE, json: { code: "used" } });
    }
    expect(await passkeysOf(userId)).toHaveLength(1);
  });

  test("an expired link is 410", async () => {
    const { userId, code } = await newLink();
    const challenge = await challengeFor(code);
    service.clockOffsetMs += 3_601_000;
    const page = await open(code);
    const responses = [
      await post("options", { code }),
      await post("registration", { code, response: createAuthenticator(SITE).create(challenge) }),
    ];
    service.clockOffsetMs -= 3_601_000;
    expect(page.status).toBe(410);
    expect(await page.text()).toContain("This link has expired");
    for (const answer of responses) expect(answer).toMatchObject({ status: 410, json: { code: "expired" } });
    expect(await passkeysOf(userId)).toEqual([]);
  });

  test.each([
    ["of another origin", { origin: "https://id.example.net" }],
    ["of another relying party", { rpId: "example.net" }],
    ["without verification of the user", { flags: 0x41 }],
  ])("a registration %s is rejected, and a correct one succeeds afterwards", async (_title, deviation) => {
    const { userId, code } = await newLink();
    const refused = await register(code, createAuthenticator(SITE, deviation));
    expect(refused).toMatchObject({ status: 422, headers: PRIVATE, json: { code: "refused" } });
    expect(await passkeysOf(userId)).toEqual([]);
    expect((await register(code)).status).toBe(200);
  });

  test("a challenge works once, with the link that it was created for", async () => {
    const [one, other] = [await newLink(), await newLink()];
    expect(await registerUnrequested(one.code)).toMatchObject({ status: 409, json: { code: "not-begun" } });
    const authenticator = createAuthenticator(SITE);
    const answer = authenticator.create(await challengeFor(one.code));
    await challengeFor(other.code);
    const elsewhere = await post("registration", { code: other.code, response: answer });
    expect(elsewhere).toMatchObject({ status: 422, json: { code: "refused" } });
    const done = await post("registration", { code: one.code, response: answer });
    expect(done).toMatchObject({
      status: 200,
      headers: { "set-cookie": expect.stringMatching(/^__Host-signet-step=/) },
    });
    const replayed = await post("registration", { code: one.code, response: answer });
    expect(replayed).toMatchObject({ status: 410, json: { code: "used" } });
    const same = await register(other.code, authenticator);
    expect(same).toMatchObject({ status: 409, json: { code: "taken" } });
    expect((await register(other.code)).status).toBe(200);
  });

  test("of ten concurrent registrations with one link, one succeeds", async () => {
    const { userId, code } = await newLink();
    const challenge = await challengeFor(code);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        post("registration", { code, response: createAuthenticator(SITE).create(challenge) }),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 410)).toHaveLength(9);
    expect(await passkeysOf(userId)).toHaveLength(1);
  });

  test("unknown, wrong and malformed codes, and codes of another kind, get the same response", async () => {
    const { code } = await newLink();
    const [id = "", secret = ""] = code.split(".");
    const headers = { "x-forwarded-for": "192.0.2.10" };
    const wrong = [
      "",
      "x",
      id,
      `${id}.`,
      `${id}.${"A".repeat(22)}`,
      `${randomUUID()}.${secret}`,
      `${code}.`,
      "\u{1f600}".repeat(200),
    ];
    const pages = new Set<string>();
    for (const text of wrong) {
      const page = await open(text, { headers });
      expect(page.status).toBe(404);
      pages.add(await page.text());
      expect(await post("options", { code: text }, headers)).toMatchObject({
        status: 404,
        headers: PRIVATE,
        json: { code: "invalid-link" },
      });
    }
    expect(pages.size).toBe(1);
    await service.db.updateTable("codes").set({ kind: "initialization" }).where("id", "=", id).execute();
    expect(await post("options", { code }, headers)).toMatchObject({ status: 404 });
  });

  test("the wrong codes of an address are counted across pages and calls, and valid ones are not", async () => {
    const { code } = await newLink();
    const headers = { "x-forwarded-for": "192.0.2.20" };
    for (let times = 0; times < 40; times++) await post("options", { code }, headers);
    for (let times = 0; times < 15; times++) {
      await open("wrong", { headers });
      await post("options", { code: "wrong" }, headers);
    }
    const refused = await post("options", { code }, headers);
    expect(refused).toMatchObject({ status: 429, headers: PRIVATE, json: { code: "too-many" } });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(800);
    expect((await post("registration", { code, response: createAuthenticator(SITE).create("") }, headers)).status).toBe(
      429,
    );
    expect((await open(code, { headers })).status).toBe(429);
    expect((await open(code, { headers: { "x-forwarded-for": "192.0.2.21" } })).status).toBe(200);
  });

  test("malformed and cross-site calls are rejected", async () => {
    const { code } = await newLink();
    const response = createAuthenticator(SITE).create(await challengeFor(code));
    const inner = response.response;
    for (const body of [
      "",
      "{",
      "null",
      "[]",
      {},
      { code: 1 },
      { code, response: null },
      { code, response: { ...response, type: "password" } },
      { code, response: { ...response, id: "a b" } },
      { code, response: { ...response, response: { ...inner, clientDataJSON: "{}" } } },
      { code, response: { ...response, response: { ...inner, attestationObject: 1 } } },
      { code, response: { ...response, response: { ...inner, transports: ["\0"] } } },
      { code, response: { ...response, response: { ...inner, transports: Array(17).fill("usb") } } },
    ]) {
      const answer = await post("registration", body);
      expect(answer).toMatchObject({ status: 400, headers: PRIVATE, json: { code: "unreadable" } });
    }
    const large = { code, response: { ...response, id: "A".repeat(70_000) } };
    expect(await post("registration", large)).toMatchObject({ status: 413, json: { code: "too-large" } });
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example.net" }]) {
      expect(await post("options", { code }, headers)).toMatchObject({ status: 403, json: { code: "foreign" } });
    }
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/jsonx"]) {
      const form = await fetch(`${service.origin}/ui/passkey/options`, {
        method: "POST",
        headers: { "content-type": type },
        body: JSON.stringify({ code }),
      });
      expect(form.status).toBe(415);
    }
    const get = await fetch(`${service.origin}/ui/passkey/options`);
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    const posted = await fetch(`${service.origin}/ui/passkey`, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    // None of these calls has consumed the challenge.
    expect((await post("registration", { code, response })).status).toBe(200);
  });

  test("no log line and no table contains the secret of a link", async () => {
    const { code } = await newLink();
    const secret = code.split(".")[1] ?? "";
    await open(code);
    const challenge = await challengeFor(code);
    await post("registration", { code, response: createAuthenticator(SITE).create("AAAA") });
    await register(code);
    const logs = JSON.stringify(service.logs);
    expect(logs).toContain("/ui/passkey/registration");
    for (const text of [secret, challenge]) expect(logs).not.toContain(text);
    expect(JSON.stringify(await readAll(service))).not.toContain(secret);
  });
});

/** All rows of all tables. */
async function readAll({ db }: TestService): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  const contents: Record<string, unknown> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql`select to_jsonb(t) as row from ${sql.table(name)} as t order by 1`.execute(db);
    contents[name] = rows;
  }
  return contents;
}
