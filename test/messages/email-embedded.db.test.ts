import { createDelivery, type Delivery } from "../../src/messages/create-delivery.ts";
import { createSenders } from "../../src/messages/senders/create-senders.ts";
import { importUser, readMessage, readMessages } from "../support/messages/queued.ts";
import { startSmtp, type TestSmtp } from "../support/messages/smtp.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const HOUR_MS = 3_600_000;

// test/messages/email.db.test.ts has all cases, on PostgreSQL.
describe("email by SMTP on the embedded database", () => {
  let smtp: TestSmtp;
  let service: TestService;
  const others: Delivery[] = [];

  beforeAll(async () => {
    smtp = await startSmtp();
    service = await startService("embedded", { SMTP_URL: smtp.url, EMAIL_FROM: "Signet <no-reply@id.example.com>" });
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.stop(0)));
    await service.db.deleteFrom("messages").execute();
    smtp.arrived.splice(0);
    smtp.hold = undefined;
    for (const step of Object.keys(smtp.answers)) delete smtp.answers[step as keyof TestSmtp["answers"]];
  });
  afterAll(async () => {
    await service?.close();
    await smtp?.close();
  });

  /** The delivery of another process. */
  function otherProcess(): Delivery {
    const { config, db, keyring } = service;
    const { clock } = service;
    const log = { debug() {}, info() {}, warn() {}, error() {} } as never;
    const { publicUrl } = config;
    const other = createDelivery({ db, keyring, clock, senders: createSenders(config, clock), publicUrl, log });
    others.push(other);
    return other;
  }

  test("the code is valid from the delivery of the email, and the content is erased", async () => {
    await importUser(service, "ada");
    await service.delivery.deliverDue();
    const sent = await readMessage(service);
    expect(sent).toMatchObject({ state: "sent", attempts: 1, content: null, content_key: null, next_attempt_at: null });
    expect((sent.expires_at?.getTime() ?? 0) - (sent.ended_at?.getTime() ?? 0)).toBe(72 * HOUR_MS);
    expect(smtp.arrived.map(({ to }) => to)).toEqual(["ada@example.com"]);
  });

  test("a message is retried after a temporary error, and arrives once", async () => {
    await importUser(service, "grace");
    smtp.answers.rcpt = () => ({ code: 451, text: "4.7.1 greylisted" });
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject({
      state: "waiting",
      attempts: 1,
      last_error: "SMTP: RCPT TO returned 451 4.7.1",
    });
    delete smtp.answers.rcpt;
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject({ attempts: 1 });
    service.clockOffsetMs += 7_000;
    await service.delivery.deliverDue();
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject({ state: "sent", attempts: 2 });
    expect(smtp.arrived).toHaveLength(1);
  });

  test("a permanent error makes a message fail, and its content is kept", async () => {
    await importUser(service, "joan");
    smtp.answers.rcpt = () => ({ code: 550, text: "5.1.1 no such user" });
    await service.delivery.deliverDue();
    const failed = await readMessage(service);
    expect(failed).toMatchObject({ state: "failed", attempts: 1, next_attempt_at: null, expires_at: null });
    expect(failed.content).not.toBeNull();
  });

  test("another process sends a message whose claim is no longer renewed", async () => {
    await importUser(service, "edith");
    const held = Promise.withResolvers<void>();
    smtp.hold = held.promise;
    const delivered = service.delivery.deliverDue();
    await until("the server has the message", () => smtp.holding === 1);
    smtp.hold = undefined;
    const other = otherProcess();
    service.clockOffsetMs += 60_000;
    await other.deliverDue();
    expect(smtp.arrived).toEqual([]);
    service.clockOffsetMs += 30_000;
    await other.deliverDue();
    const sent = await readMessage(service);
    expect(sent).toMatchObject({ state: "sent", attempts: 2 });
    held.resolve();
    await delivered;
    expect(await readMessage(service)).toEqual(sent);
  });

  test("several processes send each message once", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `user${index}`);
    for (const name of names) await importUser(service, name);
    await Promise.all([service.delivery, otherProcess(), otherProcess()].map((delivery) => delivery.deliverDue()));
    expect(smtp.arrived.map(({ to }) => to).sort()).toEqual(names.map((name) => `${name}@example.com`).sort());
    expect((await readMessages(service)).every(({ state, attempts }) => state === "sent" && attempts === 1)).toBe(true);
  });

  test("a message with a used code is not sent, and its content is erased", async () => {
    await importUser(service, "used");
    await service.db.updateTable("codes").set({ used_at: new Date() }).execute();
    await service.delivery.deliverDue();
    expect(await readMessage(service)).toMatchObject({ state: "expired", content: null });
    expect(smtp.arrived).toEqual([]);
  });
});
