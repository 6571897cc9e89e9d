import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import { createDelivery, type Delivery } from "../../src/messages/create-delivery.ts";
import { createSenders } from "../../src/messages/senders/create-senders.ts";
import { watchQueries } from "../support/databases/database.ts";
import { freePort } from "../support/free-port.ts";
import { importUser, nowOf, readMessage, readMessages } from "../support/messages/queued.ts";
import { type Answer, createCertificate, type Step, startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const FROM = { EMAIL_FROM: "Signet <no-reply@id.example.com>" };
const HOUR_MS = 3_600_000;

// test/messages/email-embedded.db.test.ts has representatives on the embedded database.
describe("email by SMTP on PostgreSQL", () => {
  let smtp: TestSmtp;
  let service: TestService;
  const others: Delivery[] = [];

  beforeEach(async () => {
    smtp = await startSmtp();
    service = await startService("postgres", { SMTP_URL: smtp.url, ...FROM });
    service.stopClock();
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.stop(0)));
    await service.close();
    await smtp.close();
  });

  /** The delivery of another process, with its own clock. */
  function otherProcess(clock = service.clock): Delivery {
    const { config, db, keyring } = service;
    const log = { debug() {}, info() {}, warn() {}, error() {} } as never;
    const { publicUrl } = config;
    const other = createDelivery({ db, keyring, clock, senders: createSenders(config, clock), publicUrl, log });
    others.push(other);
    return other;
  }

  test("a queued email arrives as text and HTML with the headers that mail systems expect", async () => {
    await importUser(service, "ada", { profile: { firstName: "Ada", lastName: "Lovelace", preferredLanguage: "de" } });
    await service.delivery.deliverDue();
    const [{ to, email }] = (await smtp.arrivals(1)) as [TestSmtp["arrived"][0]];
    const { id, code_id } = await readMessage(service);
    const link = new RegExp(`${service.config.publicUrl}/ui/init\\?code=${code_id}\\.[\\w-]{22}`);
    expect(to).toBe("ada@example.com");
    expect(email.from).toMatchObject({ name: "Signet", address: "no-reply@id.example.com" });
    expect(email.to).toMatchObject([{ address: "ada@example.com" }]);
    expect(email.messageId).toBe(`<${id}@id.example.com>`);
    expect(email.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
    expect(email.headers).toContainEqual(expect.objectContaining({ key: "content-language", value: "de" }));
    expect(email.text).toMatch(link);
    expect(email.html).toMatch(link);
    expect(service.delivery.counters.email).toEqual({ sent: 1, failed: 0, retried: 0, expired: 0 });
  });

  test("an invitation by a person names the person, and one by a program does not", async () => {
    const id = await importUser(service, "ada", { profile: { firstName: "Ada", lastName: "Lovelace" } });
    const invited = await importUser(service, "grace");
    // As if Ada had called, who is a person: only programs have tokens without a browser.
    await service.db.updateTable("events").set({ editor_id: id }).where("aggregate_id", "=", invited).execute();
    await service.delivery.deliverDue();
    const subjects = (await smtp.arrivals(2)).map(({ to, email }) => [to, email.subject]).sort();
    expect(subjects).toEqual([
      ["ada@example.com", "Confirm your email address"],
      ["grace@example.com", `Ada Lovelace invites you to ${new URL(service.config.publicUrl).host}`],
    ]);
  });

  test("the code is valid from the delivery of the email, and the content is erased", async () => {
    await importUser(service, "ada");
    expect(await readMessage(service)).toMatchObject({ state: "waiting", attempts: 0, expires_at: null });
    service.clockOffsetMs = 100 * HOUR_MS;
    await service.delivery.deliverDue();
    const sent = await readMessage(service);
    expect(sent).toMatchObject({ state: "sent", attempts: 1, content: null, content_key: null, next_attempt_at: null });
    const validMs = (sent.expires_at?.getTime() ?? 0) - (sent.ended_at?.getTime() ?? 0);
    expect(validMs).toBe(72 * HOUR_MS);
    expect(nowOf(service) - (sent.ended_at?.getTime() ?? 0)).toBeLessThan(HOUR_MS);
  });

  test("while the server is down a message is retried with increasing delays, and then arrives once", async () => {
    const port = await freePort();
    await service.close();
    service = await startService("postgres", { SMTP_URL: `smtp://127.0.0.1:${port}`, ...FROM });
    service.stopClock();
    await importUser(service, "ada");
    for (const [index, seconds] of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900].entries()) {
      const before = nowOf(service);
      await service.delivery.deliverDue();
      const message = await readMessage(service);
      expect(message).toMatchObject({ state: "waiting", attempts: index + 1, expires_at: null });
      expect(message.last_error).toMatch(/^SMTP: .*ECONNREFUSED/);
      const delay = ((message.next_attempt_at?.getTime() ?? 0) - before) / 1_000;
      expect(delay).toBeGreaterThanOrEqual(seconds * 0.79);
      expect(delay).toBeLessThanOrEqual(seconds * 1.21);
      // It is not due yet.
      service.clockOffsetMs += seconds * 0.7 * 1_000;
      await service.delivery.deliverDue();
      expect(await readMessage(service)).toMatchObject({ attempts: index + 1 });
      service.clockOffsetMs += seconds * 0.6 * 1_000;
    }
    const back = await startSmtp({ port });
    await service.delivery.deliverDue();
    await service.delivery.deliverDue();
    expect(back.arrived.map(({ to }) => to)).toEqual(["ada@example.com"]);
    expect(await readMessage(service)).toMatchObject({ state: "sent", attempts: 11 });
    expect(service.delivery.counters.email).toEqual({ sent: 1, failed: 0, retried: 10, expired: 0 });
    await back.close();
  });

  test.each<[Step, Answer, string]>([
    ["connect", { code: 421, text: "try later" }, "SMTP: CONN returned 421"],
    ["connect", { code: 554, text: "no service" }, "SMTP: CONN returned 554"],
    ["mail", { code: 550, text: "5.7.1 sender is not allowed" }, "SMTP: MAIL FROM returned 550 5.7.1"],
    ["rcpt", { code: 451, text: "4.7.1 greylisted" }, "SMTP: RCPT TO returned 451 4.7.1"],
    ["data", { code: 452, text: "4.2.2 mailbox full" }, "SMTP: DATA returned 452 4.2.2"],
    ["rcpt", { code: 503, text: "bad sequence" }, "SMTP: RCPT TO returned 503"],
    ["rcpt", { code: 530, text: "5.7.0 authentication required" }, "SMTP: RCPT TO returned 530 5.7.0"],
  ])(
    "a message is retried after a response to %s that is not a permanent error of the recipient: %j",
    async (step, answer, error) => {
      await importUser(service, "ada");
      smtp.answers[step] = () => answer;
      await service.delivery.deliverDue();
      expect(await readMessage(service)).toMatchObject({ state: "waiting", attempts: 1, last_error: error });
      delete smtp.answers[step];
      service.clockOffsetMs = 7_000;
      await service.delivery.deliverDue();
      expect(await readMessage(service)).toMatchObject({ state: "sent", attempts: 2 });
      expect(smtp.arrived).toHaveLength(1);
    },
  );

  test("a message is retried after wrong credentials, which are in no log line", async () => {
    await service.close();
    const password = "a-wrong%2Fpassword";
    service = await startService("postgres", { SMTP_URL: smtp.url.replace("//", `//signet:${password}@`), ...FROM });
    service.secret(password);
    service.secret(decodeURIComponent(password));
    smtp.answers.auth = () => ({ code: 535, text: "5.7.8 authentication failed" });
    await importUser(service, "ada");
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject({
      state: "waiting",
      last_error: "SMTP: AUTH PLAIN returned 535 5.7.8",
    });
    delete smtp.answers.auth;
    service.clockOffsetMs = 7_000;
    await service.delivery.deliverDue();
    expect(smtp.arrived).toHaveLength(1);
  });

  test.each<[Step, string]>([
    ["rcpt", "SMTP: RCPT TO returned 550 5.1.1"],
    ["data", "SMTP: DATA returned 550 5.1.1"],
  ])(
    "a 5xx to %s is permanent: the content is kept, and the text of the response is not stored",
    async (step, error) => {
      await importUser(service, "ada");
      await importUser(service, "grace");
      let quoted = "";
      smtp.answers[step] = (about) => {
        if (!about.includes("ada@")) return undefined;
        // The response quotes the message.
        quoted = /code=3D[^\s]+|code=[^\s]+/.exec(about)?.[0] ?? "";
        return { code: 550, text: `5.1.1 no such user, and I quote: ${quoted}` };
      };
      await service.delivery.deliverDue();
      if (step === "data") service.secret(quoted);
      const [ada, grace] = await readMessages(service);
      expect(ada).toMatchObject({
        state: "failed",
        attempts: 1,
        last_error: error,
        next_attempt_at: null,
        expires_at: null,
      });
      expect(ada?.content).not.toBeNull();
      // The next message is still sent.
      expect(grace).toMatchObject({ state: "sent" });
      service.clockOffsetMs = HOUR_MS;
      await service.delivery.deliverDue();
      expect((await readMessages(service))[0]).toMatchObject({ state: "failed", attempts: 1 });
      expect(service.delivery.counters.email).toEqual({ sent: 1, failed: 1, retried: 0, expired: 0 });
    },
  );

  test.each<Step>(["connect", "mail", "rcpt", "data"])(
    "a message arrives once after a connection that was dropped at %s",
    async (step) => {
      await importUser(service, "ada");
      smtp.answers[step] = () => "drop";
      await service.delivery.deliverDue();
      expect(await readMessage(service)).toMatchObject({ state: "waiting", attempts: 1, expires_at: null });
      expect(smtp.arrived).toEqual([]);
      delete smtp.answers[step];
      service.clockOffsetMs = 7_000;
      await service.delivery.deliverDue();
      await service.delivery.deliverDue();
      expect(smtp.arrived).toHaveLength(1);
      expect(await readMessage(service)).toMatchObject({ state: "sent", attempts: 2 });
    },
  );

  test("no other process sends a message while a slow server accepts it", async () => {
    await importUser(service, "ada");
    const held = Promise.withResolvers<void>();
    smtp.hold = held.promise;
    const delivered = service.delivery.deliverDue();
    await until("the server has the message", () => smtp.holding === 1);
    const other = otherProcess();
    for (let round = 0; round < 5; round++) {
      service.clockOffsetMs += 60_000;
      await service.delivery.renew();
      service.delivery.wake();
      await other.deliverDue();
    }
    expect(await readMessage(service)).toMatchObject({ state: "waiting", attempts: 1 });
    expect(smtp.holding).toBe(1);
    held.resolve();
    await delivered;
    expect(smtp.arrived).toHaveLength(1);
    expect(await readMessage(service)).toMatchObject({ state: "sent", attempts: 1 });
  });

  test("another process sends a message whose claim is no longer renewed, and the first process changes nothing", async () => {
    await importUser(service, "ada");
    const held = Promise.withResolvers<void>();
    smtp.hold = held.promise;
    const delivered = service.delivery.deliverDue();
    await until("the server has the message", () => smtp.holding === 1);
    smtp.hold = undefined;
    service.clockOffsetMs = 60_000;
    const other = otherProcess();
    await other.deliverDue();
    expect(smtp.arrived).toEqual([]);
    service.clockOffsetMs = 90_000;
    await other.deliverDue();
    const sent = await readMessage(service);
    expect(sent).toMatchObject({ state: "sent", attempts: 2 });
    service.clockOffsetMs = HOUR_MS;
    held.resolve();
    await delivered;
    expect(await readMessage(service)).toEqual(sent);
    // Sent twice, with the same id.
    expect(new Set(smtp.arrived.map(({ email }) => email.messageId)).size).toBe(1);
    expect(service.logs).toContainEqual(expect.objectContaining({ msg: "message was claimed by another process" }));
  });

  test("several processes send each message once, five at a time each", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `user${index}`);
    for (const name of names) await importUser(service, name);
    await Promise.all([service.delivery, otherProcess(), otherProcess()].map((delivery) => delivery.deliverDue()));
    expect(smtp.arrived.map(({ to }) => to).sort()).toEqual(names.map((name) => `${name}@example.com`).sort());
    expect(smtp.seen.most).toBeLessThanOrEqual(15);
    expect((await readMessages(service)).every(({ state, attempts }) => state === "sent" && attempts === 1)).toBe(true);
  });

  test("one process sends five at a time, and calls cause no statement of the queue in the meantime", async () => {
    for (let count = 0; count < 8; count++) await importUser(service, `before${count}`);
    const held = Promise.withResolvers<void>();
    smtp.hold = held.promise;
    let statements = 0;
    const db = watchQueries(service.db, () => {
      statements++;
    });
    const { config, keyring } = service;
    const clock = () => new Date();
    const log = { debug() {}, info() {}, warn() {}, error() {} } as never;
    const senders = createSenders(config, clock);
    const delivery = createDelivery({ db, keyring, clock, senders, publicUrl: config.publicUrl, log });
    others.push(delivery);
    delivery.start();
    await until("the server has five messages", () => smtp.holding === 5);
    const before = statements;
    for (let count = 0; count < 50; count++) {
      await importUser(service, `during${count}`);
      delivery.wake();
      await turn();
    }
    // The claim, and the branding of the organization.
    expect({ before, during: statements - before }).toEqual({ before: 2, during: 0 });
    held.resolve();
    await smtp.arrivals(58);
    expect(smtp.seen.most).toBe(5);
  });

  test("a message with an invalid code is not sent, and its content is erased", async () => {
    await importUser(service, "used");
    await importUser(service, "expired");
    await importUser(service, "moved");
    await importUser(service, "replaced");
    await importUser(service, "kept");
    const { db } = service;
    const codeOf = (name: string) =>
      sql<string>`(select code_id from messages where recipient = ${`${name}@example.com`})`;
    await sql`update codes set used_at = now() where id = ${codeOf("used")}`.execute(db);
    await sql`update codes set expires_at = ${service.clock()} where id = ${codeOf("expired")}`.execute(db);
    await sql`update users set email = 'new@example.com' where email = 'moved@example.com'`.execute(db);
    await sql`
      insert into codes (org_id, id, user_id, kind, recipient, secret_hash, created_at, sequence)
      select org_id, gen_random_uuid(), user_id, kind, recipient, secret_hash, created_at, sequence + 1 from codes
      where id = ${codeOf("replaced")}`.execute(db);
    await service.delivery.deliverDue();
    expect(smtp.arrived.map(({ to }) => to)).toEqual(["kept@example.com"]);
    const messages = await readMessages(service);
    expect(messages.map(({ state }) => state)).toEqual(["expired", "expired", "expired", "expired", "sent"]);
    for (const { content, expires_at } of messages) {
      expect(content).toBeNull();
      expect(expires_at).not.toBeNull();
    }
    expect(service.delivery.counters.email).toEqual({ sent: 1, failed: 0, retried: 0, expired: 4 });
  });

  test("a stopping process claims no more messages, and stores the outcomes of the ones it is sending", async () => {
    for (let count = 0; count < 8; count++) await importUser(service, `user${count}`);
    const held = Promise.withResolvers<void>();
    smtp.hold = held.promise;
    service.delivery.start();
    await until("the server has five messages", () => smtp.holding === 5);
    const stopped = service.delivery.stop(30_000);
    held.resolve();
    await stopped;
    const states = (await readMessages(service)).map(({ state }) => state);
    expect(states.filter((state) => state === "sent")).toHaveLength(5);
    expect(states.filter((state) => state === "waiting")).toHaveLength(3);
    expect(smtp.arrived).toHaveLength(5);
  });

  test("a stopping process exits after its grace period, and the message stays claimed", async () => {
    await importUser(service, "ada");
    smtp.hold = new Promise(() => {});
    service.delivery.start();
    await until("the server has the message", () => smtp.holding === 1);
    await service.delivery.stop(0);
    expect(await readMessage(service)).toMatchObject({ state: "waiting", attempts: 1 });
  });
});

const folder = mkdtempSync(join(tmpdir(), "signet-smtp-"));
const certificate = createCertificate(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

(certificate ? describe : describe.skip)("a server with an unknown certificate", () => {
  let service: TestService;
  let smtp: TestSmtp | undefined;
  afterEach(async () => {
    await service.close();
    await smtp?.close();
  });

  test.each([
    ["over TLS", { secure: true }],
    ["after STARTTLS", { secure: false }],
  ])("receives nothing %s", async (_, { secure }) => {
    const { cert, key } = certificate ?? {};
    smtp = await startSmtp({ secure, cert, key } as object);
    service = await startService("postgres", { SMTP_URL: smtp.url.replace("127.0.0.1", "localhost"), ...FROM });
    await importUser(service, "ada");
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject({ state: "waiting", last_error: "SMTP: self-signed certificate" });
    expect(smtp.arrived).toEqual([]);
  });
});
