import { randomUUID } from "node:crypto";
import { connect as connectHttp2, constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import {
  allRows,
  changePhone,
  createVisitor,
  importAda,
  lastReceived,
  type Received,
  VISITED,
  type Visitor,
  wrongDigits,
} from "../support/browsers/visitor.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";

const PRIVATE = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "x-robots-tag": "noindex",
  "x-request-id": expect.stringMatching(/^[\w-]+$/),
};

// test/web/links/embedded.wire.test.ts tests a selection on the embedded database.
describe("on PostgreSQL", () => {
  let service: TestService;
  let visitor: Visitor;
  let init: Received;
  let phone: Received;
  beforeAll(async () => {
    service = await startService("postgres", VISITED);
    service.stopClock();
    service.secret(PASSWORD);
    visitor = createVisitor(service);
    const userId = await importAda(service);
    await changePhone(service, userId);
    init = await lastReceived(service, userId, "initialization");
    phone = await lastReceived(service, userId, "phone");
  });
  afterAll(() => service?.close());

  test("every page has headers that forbid caching and framing, and sets no cookie", async () => {
    for (const [{ headers }, leadsAway] of [
      [await visitor.open(init.path), true],
      [await visitor.open(phone.path)],
      [await visitor.open("/ui/init?code=x")],
      [await visitor.open("/ui/nothing")],
      [await visitor.post("/ui/init", { code: init.code, password: "short" }), true],
      [await visitor.open("/ui/init", { method: "DELETE" })],
    ] as const) {
      const { "content-security-policy": policy, ...others } = Object.fromEntries(headers);
      const { "content-security-policy": restricted = "", ...common } = PRIVATE;
      // After the form, the browser may be redirected to an application.
      const [least, expected] = leadsAway
        ? [restricted.replace(" form-action 'self';", ""), { ...common, "cross-origin-opener-policy": "unsafe-none" }]
        : [restricted, common];
      expect(others).toMatchObject(expected);
      // Pages with a password field load the script that shows it.
      expect(policy?.replace(" script-src 'self'; connect-src 'self';", "")).toBe(least);
      expect([...headers.keys()].filter((name) => /cookie|access-control|server|powered/.test(name))).toEqual([]);
    }
  });

  test("the page is the same over HTTP/2", async () => {
    const session = connectHttp2(service.origin);
    const stream = session.request({ ":path": init.path });
    const chunks: Buffer[] = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    const status = await new Promise((resolve) => stream.on("response", (headers) => resolve(headers[":status"])));
    await new Promise((resolve) => stream.on("end", resolve));
    session.close();
    expect(status).toBe(200);
    expect(Buffer.concat(chunks).toString()).toBe((await visitor.open(init.path)).text);
  });

  test("the URL of the stylesheet contains its hash, so that it can be cached forever", async () => {
    const { text } = await visitor.open(init.path);
    const address = /<link rel="stylesheet" href="([^"]+)">/.exec(text)?.[1] ?? "";
    const style = await visitor.open(address);
    expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(style.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(style.text).toContain("prefers-color-scheme: dark");
    const other = await visitor.open("/ui/style.css?v=old");
    expect([other.status, other.headers.get("cache-control")]).toEqual([200, "no-cache"]);
  });

  test("the icon of all pages can be cached forever", async () => {
    const addresses = [];
    for (const path of [init.path, "/", "/docs", "/docs/guide"]) {
      const { text } = await visitor.open(path, { headers: { accept: "text/html" } });
      addresses.push(/<link rel="icon" type="image\/svg\+xml" href="([^"]+)">/.exec(text)?.[1] ?? "");
    }
    expect(new Set(addresses).size).toBe(1);
    const icon = await visitor.open(addresses[0] ?? "");
    expect(icon.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(icon.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(icon.text).toMatch(/^<svg xmlns="[^"]+" viewBox="0 0 24 24"/);
  });

  test("opening links changes no row of any table", async () => {
    const before = await allRows(service);
    for (let round = 0; round < 50; round++) {
      for (const path of [init.path, phone.path]) {
        for (const method of ["GET", "HEAD"]) {
          const response = await createVisitor(service).open(path, { method });
          expect(response.status).toBe(200);
          expect(response.text === "").toBe(method === "HEAD");
        }
      }
    }
    expect(await allRows(service)).toEqual(before);
  });

  test("other methods are 405 with the supported ones in Allow", async () => {
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const response = await visitor.open(init.path, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
    }
    const style = await visitor.open("/ui/style.css", { method: "POST" });
    expect([style.status, style.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  test("an unknown path is a 404 page in the language of the browser", async () => {
    for (const path of ["/ui/", "/ui/nothing", "/ui/init/", "/ui/__proto__", "/ui/INIT"]) {
      const response = await visitor.open(path, { headers: { "accept-language": "de-CH,fr;q=0.5" } });
      expect([response.status, response.title]).toEqual([404, "Seite nicht gefunden"]);
      expect(response.text).toContain('<a class="button" href="/ui/account">');
      expect(response.text).toContain('<html lang="de">');
    }
  });

  test.each([
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from another host of the same site", { "sec-fetch-site": "same-site" }],
    ["with the origin of another site", { origin: "https://example.com" }],
    ["with an origin that starts like ours", { origin: "http://localhost:80800" }],
    ["with another port", { origin: "http://localhost:8081" }],
    ["with an empty Origin header", { origin: "" }],
  ])("a POST %s is 403 and changes nothing", async (_what, headers) => {
    const before = await allRows(service);
    for (const [path, fields] of [
      ["/ui/init", { code: init.code, password: PASSWORD, repeat: PASSWORD }],
      ["/ui/init", { code: init.code, do: "send" }],
      ["/ui/phone", { code: phone.code, digits: phone.digits }],
    ] as const) {
      const response = await visitor.post(path, fields as Record<string, string>, headers);
      expect([response.status, response.title]).toEqual([403, "This form came from another site"]);
    }
    expect(await allRows(service)).toEqual(before);
  });

  test("a POST from our own pages, and one from a client without browser headers, is accepted", async () => {
    const post = (headers: Record<string, string>) =>
      visitor.open("/ui/init", { method: "POST", headers, body: new URLSearchParams({ code: init.code }) });
    for (const headers of [
      { origin: service.config.publicUrl, "sec-fetch-site": "same-origin" },
      // The page was opened with another name of this machine than the one in PUBLIC_URL.
      { origin: service.origin, "sec-fetch-site": "same-origin" },
      { origin: "null", "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
      {},
    ]) {
      // 422: the code was accepted, and the password is missing.
      expect((await post(headers as Record<string, string>)).status).toBe(422);
    }
  });

  test.each([
    ["text/plain", "code=x"],
    ["multipart/form-data; boundary=x", "--x--"],
    ["application/json", "{}"],
    ["", "code=x"],
  ])("a form of the content type %s is 415", async (type, body) => {
    const response = await visitor.open("/ui/init", {
      method: "POST",
      headers: { "content-type": type },
      body: Buffer.from(body),
    });
    expect(response.status).toBe(415);
  });

  test("a form of more than 64 KiB is 413", async () => {
    const response = await visitor.post("/ui/init", { code: init.code, password: "x".repeat(65_536) });
    expect([response.status, response.title]).toEqual([413, "This form is too large"]);
  });

  test("a form that does not arrive in time is 408, also over HTTP/2", async () => {
    const impatient = await startService("postgres", { ...VISITED, REQUEST_TIMEOUT_MS: "200" });
    const session = connectHttp2(impatient.origin);
    const stream = session.request({
      ":method": "POST",
      ":path": "/ui/init",
      "content-type": "application/x-www-form-urlencoded",
    });
    stream.on("error", () => {}).write("code=");
    const status = await new Promise((resolve) => stream.on("response", (headers) => resolve(headers[":status"])));
    session.destroy();
    await impatient.close();
    expect(status).toBe(408);
  });

  test("malformed, unknown and wrong codes, and codes of another kind, get the same response", async () => {
    const [id = "", secret = ""] = init.code.split(".");
    const other = secret.startsWith("A") ? `B${secret.slice(1)}` : `A${secret.slice(1)}`;
    const wrong = [
      "",
      "x",
      ".",
      id,
      `${id}.`,
      `${id}.${other}`,
      `${id}.${secret.slice(1)}`,
      `${init.code}.`,
      ` ${init.code}`,
      `${randomUUID()}.${secret}`,
      `${phone.code.split(".")[0]}.${secret}`,
      phone.code,
      "' or 1=1 --",
      "x".repeat(5_000),
    ];
    const texts = new Set<string>();
    for (const code of wrong) {
      for (const response of [
        await createVisitor(service).open(`/ui/init?code=${encodeURIComponent(code)}`),
        await createVisitor(service).post("/ui/init", { code, password: PASSWORD, repeat: PASSWORD }),
        await createVisitor(service).post("/ui/init", { code, do: "send" }),
      ]) {
        expect([response.status, response.title]).toEqual([404, "This link is not valid"]);
        texts.add(response.text);
      }
    }
    texts.add((await createVisitor(service).open("/ui/init")).text);
    texts.add((await createVisitor(service).open(`/ui/phone?code=${encodeURIComponent(init.code)}`)).text);
    expect(texts.size).toBe(1);
  });

  test("an address is blocked after 30 wrong codes, and no other address is", async () => {
    const noisy = createVisitor(service, "192.0.2.1");
    const wrong = `/ui/init?code=${randomUUID()}.${"x".repeat(22)}`;
    for (let failure = 1; failure <= 30; failure++) expect((await noisy.open(wrong)).status).toBe(404);
    for (const response of [await noisy.open(wrong), await noisy.open(init.path), await noisy.open(phone.path)]) {
      expect([response.status, response.title]).toEqual([429, "Too many attempts"]);
      expect(response.text).toContain("Please try again in 15 minutes.");
      const retryAfter = Number(response.headers.get("retry-after"));
      expect(retryAfter).toBeGreaterThan(14 * 60);
      expect(retryAfter).toBeLessThanOrEqual(15 * 60);
    }
    expect((await noisy.post("/ui/phone", { code: phone.code, digits: phone.digits })).status).toBe(429);
    expect((await createVisitor(service, "192.0.2.2").open(init.path)).status).toBe(200);
    service.clockOffsetMs += 15 * 60_000;
    expect((await noisy.open(init.path)).status).toBe(200);
    service.clockOffsetMs = 0;
  });

  test("of concurrent wrong codes, all but 30 result in 429", async () => {
    const noisy = createVisitor(service, "192.0.2.3");
    const responses = await Promise.all(Array.from({ length: 40 }, () => noisy.open("/ui/phone?code=x")));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test("a blocked address causes no query, and one with a valid link only the lookup of the code", async () => {
    const blocked = createVisitor(service, "192.0.2.4");
    for (let failure = 1; failure <= 30; failure++) await blocked.open("/ui/init?code=x");
    const queries = jest.spyOn(service.pagesDb, "enter");
    try {
      expect((await blocked.open("/ui/init?code=x")).status).toBe(429);
      expect((await blocked.post("/ui/phone", { code: phone.code, digits: phone.digits })).status).toBe(429);
      expect(queries).not.toHaveBeenCalled();
      expect((await visitor.open(init.path)).status).toBe(200);
      expect(queries).toHaveBeenCalledTimes(1);
    } finally {
      queries.mockRestore();
    }
  });

  test("requests that arrive together with their reset cost no query and no log line", async () => {
    const { session, sendTogether } = await connectWithHeldWrites(service.port);
    const queries = jest.spyOn(service.pagesDb, "enter");
    const before = service.logs.length;
    try {
      await sendTogether(() => {
        for (let request = 0; request < 50; request++) {
          const stream = session.request({ ":path": init.path, "x-forwarded-for": "192.0.2.6" });
          stream.on("error", () => {}).close(constants.NGHTTP2_CANCEL);
        }
      });
      // Frames are processed in order, so this response comes after everything about the earlier streams.
      const last = session.request({ ":path": "/ui/style.css" });
      await new Promise((resolve) => last.resume().once("end", resolve));
      expect(queries).not.toHaveBeenCalled();
    } finally {
      queries.mockRestore();
      session.destroy();
    }
    const lines = service.logs.slice(before).filter(({ path }) => path !== "/ui/style.css");
    expect(lines).toEqual([]);
  });

  test("wrong digits count as failures too, and the addresses of an IPv6 network count together", async () => {
    const userId = await importAda(service);
    await changePhone(service, userId);
    const got = await lastReceived(service, userId, "phone");
    const from = (suffix: string) => createVisitor(service, `2001:db8:1:2:${suffix}`);
    for (let failure = 1; failure <= 28; failure++) await from(`3:4:5:${failure.toString(16)}`).open("/ui/init?code=x");
    const digits = (step: number) => ({ code: got.code, digits: wrongDigits(got, step) });
    expect((await from(":a").post("/ui/phone", digits(1))).status).toBe(422);
    // The page to which the thirtieth failure redirects is already blocked.
    expect((await from(":b").post("/ui/phone", digits(2))).status).toBe(429);
    expect((await from(":c").post("/ui/phone", digits(3))).status).toBe(429);
    expect((await createVisitor(service, "2001:db8:1:3::1").open(got.path)).status).toBe(200);
  });

  test.each([
    ["192.0.2.5", "192.0.2.5:50001", "192.0.2.5:50002"],
    ["2001:db8:5::1", "[2001:db8:5::1]", "[2001:db8:5::1]:50001"],
  ])("%s is one address, even if a proxy appends ports to it", async (...forms) => {
    for (const form of forms)
      for (let failure = 1; failure <= 10; failure++) await createVisitor(service, form).open("/ui/init?code=x");
    for (const form of forms) expect((await createVisitor(service, form).open(init.path)).status).toBe(429);
  });

  test("an internal error is a page with the request id, and only the log contains its cause", async () => {
    await sql`alter table codes rename to codes_away`.execute(service.db);
    const response = await visitor.open(init.path);
    await sql`alter table codes_away rename to codes`.execute(service.db);
    const requestId = response.headers.get("x-request-id");
    expect([response.status, response.title]).toEqual([500, "Something went wrong"]);
    expect(response.text).toContain(`<code>${requestId}</code>`);
    expect(response.text).not.toMatch(/SQLSTATE|42P01|codes/);
    const logged = service.logs.filter((line) => line.requestId === requestId);
    expect(logged).toEqual([
      expect.objectContaining({ level: 50, msg: "a page could not be served" }),
      expect.objectContaining({ level: 30, msg: "page", method: "GET", path: "/ui/init", status: 500 }),
    ]);
    expect(JSON.stringify(logged)).toContain("42P01");
  });

  test("the code of a mangled link is in no log line", async () => {
    for (const path of [init.path.replace("?", "%3F"), init.path.replace("?", "&"), `/ui/init/${init.code}`]) {
      const response = await visitor.open(path);
      expect(response.status).toBe(404);
      const logged = service.logs.filter((line) => line.requestId === response.headers.get("x-request-id"));
      expect(logged).toEqual([expect.objectContaining({ msg: "page", method: "GET", status: 404 })]);
      expect(JSON.stringify(logged)).not.toContain(init.id);
    }
  });

  test("no log line contains a query", () => {
    const log = JSON.stringify(service.logs);
    expect(log).toContain('"path":"/ui/init"');
    expect(log).not.toMatch(/code=|\?/);
    expect(log).not.toContain(init.id);
  });
});

/** An HTTP/2 client that can send the frames of several calls in one packet. */
async function connectWithHeldWrites(port: number) {
  const socket = connectTcp(port, "127.0.0.1");
  let held: Buffer[] | undefined;
  const connection = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      if (held === undefined) socket.write(chunk);
      else held.push(chunk);
      done();
    },
  });
  socket.on("data", (chunk) => connection.push(chunk));
  socket.on("error", () => {}).on("close", () => connection.destroy());
  connection.on("close", () => socket.destroy());
  const session = connectHttp2("http://localhost", { createConnection: () => connection });
  await new Promise((resolve) => session.once("remoteSettings", resolve));
  return {
    session,
    async sendTogether(call: () => void): Promise<void> {
      held = [];
      call();
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      socket.write(Buffer.concat(held));
      held = undefined;
    },
  };
}
