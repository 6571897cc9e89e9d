import { createHmac, timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { BCRYPT } from "../support/clients/requests.ts";
import { changePhone, importUser, nowOf, readMessage, readMessages } from "../support/messages/queued.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const SENT = { isEmailVerified: true };

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An SMS provider on a local port that responds with the result of `reply`. */
async function startProvider() {
  const received: Received[] = [];
  const provider = {
    received,
    origin: "",
    reply: (_: Received): { status: number; body?: string; headers?: Record<string, string> } | "drop" => ({
      status: 200,
    }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, url, headers } = request;
    const taken = { method, url, headers, body };
    received.push(taken);
    const reply = provider.reply(taken);
    if (reply === "drop") return void request.socket.destroy();
    response.writeHead(reply.status, { connection: "close", ...reply.headers }).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provider.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;
}

type Provider = Awaited<ReturnType<typeof startProvider>>;

let service: TestService;
let provider: Provider;

/** Stops the service and the provider started by a `describe` or a test. */
async function stop(): Promise<void> {
  await service?.close();
  await provider?.close();
}

/** Deletes what a test left, so that the next one can use the same service. */
async function reset(): Promise<void> {
  await service.db.deleteFrom("messages").execute();
  service.clockOffsetMs = 0;
  provider.received.splice(0);
}

let count = 0;

/** Imports a user who gets no email, so that the SMS is the only message. */
const importWithPhone = (phone = "+41791234567", name = `ada-${++count}`) =>
  importUser(service, name, {
    email: { email: `${name}@example.com`, ...SENT },
    hashedPassword: { value: BCRYPT },
    phone: { phone },
  });

describe("Twilio", () => {
  const TOKEN = "twilio-auth-token-of-tests";

  beforeAll(async () => {
    provider = await startProvider();
    service = await startService("postgres", {
      SMS_PROVIDER: "twilio",
      TWILIO_ACCOUNT_SID: "AC0123",
      TWILIO_AUTH_TOKEN: TOKEN,
      TWILIO_FROM: "+15005550006",
      TWILIO_BASE_URL: `${provider.origin}/`,
    });
    service.secret(TOKEN);
  });
  beforeEach(() => importWithPhone());
  afterEach(reset);
  afterAll(stop);

  test("receives the number, the sender and the text, and the code is valid for an hour from then", async () => {
    provider.reply = () => ({ status: 201, body: '{"sid":"SM1"}' });
    service.clockOffsetMs = 5 * 3_600_000;
    await service.delivery.deliverDue();
    const [request] = provider.received;
    expect(request).toMatchObject({ method: "POST", url: "/2010-04-01/Accounts/AC0123/Messages.json" });
    const expected = `Basic ${Buffer.from(`AC0123:${TOKEN}`).toString("base64")}`;
    expect(request?.headers).toMatchObject({
      authorization: expected,
      "content-type": "application/x-www-form-urlencoded",
    });
    const form = Object.fromEntries(new URLSearchParams(request?.body));
    expect(form).toEqual({
      To: "+41791234567",
      From: "+15005550006",
      Body: expect.stringMatching(/^@localhost #\d{6}$/m),
    });
    const { state, content, expires_at, ended_at } = await readMessage(service);
    expect({ state, content }).toEqual({ state: "sent", content: null });
    expect((expires_at?.getTime() ?? 0) - (ended_at?.getTime() ?? 0)).toBe(3_600_000);
    expect(nowOf(service) - (ended_at?.getTime() ?? 0)).toBeLessThan(3_600_000);
  });

  test.each([
    [400, 21211, "failed", "Twilio returned 400, error 21211"],
    [400, 21610, "failed", "Twilio returned 400, error 21610"],
    [400, 21614, "failed", "Twilio returned 400, error 21614"],
    [400, 21408, "waiting", "Twilio returned 400, error 21408"],
    [400, 21606, "waiting", "Twilio returned 400, error 21606"],
    [401, 20003, "waiting", "Twilio returned 401, error 20003"],
    [403, 21211, "waiting", "Twilio returned 403, error 21211"],
    [404, 20404, "waiting", "Twilio returned 404, error 20404"],
    [408, undefined, "waiting", "Twilio returned 408"],
    [429, 20429, "waiting", "Twilio returned 429, error 20429"],
    [500, undefined, "waiting", "Twilio returned 500"],
  ])("a response %i with error %s makes the message %s", async (status, code, state, error) => {
    // The response may quote the message.
    let quoted = "";
    provider.reply = ({ body }) => {
      quoted = /code%3D([\w-]+\.[\w-]+)/.exec(body)?.[1] ?? "";
      return { status, body: JSON.stringify({ code, message: `no: ${body} ${quoted}`, status }) };
    };
    await service.delivery.deliverDue();
    service.secret(quoted);
    expect(quoted).not.toBe("");
    const message = await readMessage(service);
    expect(message).toMatchObject({ state, attempts: 1, last_error: error });
    expect(message.content).not.toBeNull();
    expect(message.expires_at).toBeNull();
    service.clockOffsetMs = 7_000;
    provider.reply = () => ({ status: 201 });
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject(state === "waiting" ? { state: "sent" } : { state, attempts: 1 });
  });
});

describe("a webhook", () => {
  const SECRET = "webhook-secret-of-tests";

  async function start(url: (origin: string) => string): Promise<void> {
    provider = await startProvider();
    service = await startService("postgres", {
      SMS_PROVIDER: "webhook",
      SMS_WEBHOOK_URL: url(provider.origin),
      SMS_WEBHOOK_SECRET: SECRET,
    });
    for (const secret of [SECRET, "webhook-key-of-tests"]) service.secret(secret);
  }

  describe("with a key in its URL", () => {
    beforeAll(() => start((origin) => `${origin}/sms?key=webhook-key-of-tests`));
    beforeEach(() => importWithPhone());
    afterEach(reset);
    afterAll(stop);

    test("receives the message with a signature, and with the same id in each attempt", async () => {
      provider.reply = () => ({ status: 503 });
      await service.delivery.deliverDue();
      expect(await readMessage(service)).toMatchObject({ state: "waiting", last_error: "webhook returned 503" });
      service.clockOffsetMs = 7_000;
      provider.reply = () => ({ status: 204 });
      await service.delivery.deliverDue();
      const { id, state, attempts } = await readMessage(service);
      expect({ state, attempts }).toEqual({ state: "sent", attempts: 2 });
      expect(provider.received).toHaveLength(2);
      const times = provider.received.map(({ method, url, headers, body }) => {
        expect({ method, url }).toEqual({ method: "POST", url: "/sms?key=webhook-key-of-tests" });
        expect(headers).toMatchObject({ "content-type": "application/json", "idempotency-key": id });
        expect(JSON.parse(body)).toEqual({
          id,
          to: "+41791234567",
          text: expect.stringMatching(/^@localhost #\d{6}$/m),
        });
        // Verified as docs/configuration.md describes it.
        const [, time = "", given = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["signet-signature"])) ?? [];
        const computed = createHmac("sha256", SECRET).update(`${time}.${body}`).digest();
        expect(timingSafeEqual(Buffer.from(given, "hex"), computed)).toBe(true);
        return Number(time);
      });
      expect(Math.abs((times[1] ?? 0) - nowOf(service) / 1_000)).toBeLessThan(60);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(7);
    });

    test("makes the message fail permanently only with 422", async () => {
      provider.reply = () => ({ status: 422 });
      await service.delivery.deliverDue();
      expect(await readMessage(service)).toMatchObject({ state: "failed", last_error: "webhook returned 422" });
    });

    test.each([400, 401, 404, 408, 410, 429, 500, 301, 307])("gets the message again after %i", async (status) => {
      provider.reply = () => ({ status, headers: { location: `${provider.origin}/elsewhere` } });
      await service.delivery.deliverDue();
      expect(await readMessage(service)).toMatchObject({ state: "waiting", last_error: `webhook returned ${status}` });
      // A redirect is not followed.
      expect(provider.received.map(({ url }) => url)).toEqual(["/sms?key=webhook-key-of-tests"]);
    });

    test.each([
      ["breaks off", { "content-length": "10" }],
      ["cannot be decompressed", { "content-encoding": "gzip" }],
    ])("has accepted the message with a 2xx response whose body %s", async (_what, headers) => {
      provider.reply = () => ({ status: 200, headers, body: "ok" });
      await service.delivery.deliverDue();
      expect(await readMessage(service)).toMatchObject({ state: "sent", attempts: 1 });
    });
  });

  test("that closes the connection gets the message again, and its URL is in no error", async () => {
    await start((origin) => origin.replace("//", "//user-of-tests:word-of-tests@"));
    await importWithPhone();
    for (const secret of ["user-of-tests", "word-of-tests"]) service.secret(secret);
    provider.reply = () => "drop";
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject({
      state: "waiting",
      last_error: expect.stringMatching(/^webhook: no response \(\w+\)$/),
    });
    service.clockOffsetMs = 7_000;
    provider.reply = () => ({ status: 200, body: "ok" });
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject({ state: "sent" });
    const basic = `Basic ${Buffer.from("user-of-tests:word-of-tests").toString("base64")}`;
    expect(provider.received.at(-1)?.headers.authorization).toBe(basic);
    await stop();
  });
});

describe("files", () => {
  afterEach(() => service?.close());

  test("without SMTP_URL emails become files that a mail client can read, on the embedded database", async () => {
    service = await startService("embedded");
    await importUser(service, "ada");
    const sent = await deliverTwice();
    const folder = join(service.config.dataDir, "mail");
    const names = readdirSync(folder);
    expect(names).toEqual([`${sent.created_at.toISOString().replaceAll(":", "-")}-${sent.id}.eml`]);
    const file = join(folder, names[0] ?? "");
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    const raw = readFileSync(file);
    expect(raw.toString().replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    const email = await PostalMime.parse(raw);
    expect(email).toMatchObject({
      from: { name: "Signet", address: "no-reply@localhost" },
      to: [{ address: "ada@example.com" }],
      messageId: `<${sent.id}@localhost>`,
      text: expect.stringContaining(`/ui/init?code=${sent.code_id}.`),
      html: expect.stringContaining(`/ui/init?code=${sent.code_id}.`),
    });
    // On one line, for readers without a mail client.
    const [, link] = /^X-Link: (\S+)\r$/m.exec(raw.toString()) ?? [];
    expect(email.text).toContain(`\n${link}\n`);
  });

  test("SMS_PROVIDER=file writes each SMS to a file, except for an SMS with a replaced code", async () => {
    service = await startService("postgres", { SMS_PROVIDER: "file" });
    const userId = await importWithPhone("+41791234567");
    await changePhone(service, userId, "+41791234568");
    await service.delivery.deliverDue();
    const messages = await readMessages(service);
    expect(messages.map(({ recipient, state }) => ({ recipient, state }))).toEqual([
      { recipient: "+41791234567", state: "expired" },
      { recipient: "+41791234568", state: "sent" },
    ]);
    const folder = join(service.config.dataDir, "sms");
    const names = readdirSync(folder);
    expect(names).toEqual([expect.stringMatching(new RegExp(`^\\d{4}-.*-${messages[1]?.id}\\.txt$`))]);
    const text = readFileSync(join(folder, names[0] ?? ""), "utf8");
    expect(text).toMatch(/^To: \+41791234568\n\n[\s\S]*\n@localhost #\d{6}\n$/);
  });

  /** Simulates a crash between sending and storing the result: the message is sent again, under the same name. */
  async function deliverTwice() {
    const before = await readMessage(service);
    await service.delivery.deliverDue();
    const { content, content_key, next_attempt_at } = before;
    await service.db
      .updateTable("messages")
      .set({ state: "waiting", content, content_key, next_attempt_at, ended_at: null })
      .execute();
    await service.delivery.deliverDue();
    return await readMessage(service);
  }
});
