import { sql } from "kysely";
import { type Listening, listenForNotifications } from "../../src/database/listen-for-notifications.ts";
import { createNotifyQueued, notifyQueued, QUEUED_CHANNEL } from "../../src/messages/notify-queued.ts";
import { createTestDatabase, type TestDatabase } from "../support/databases/database.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import { importUser, readMessages } from "../support/messages/queued.ts";
import { startSmtp } from "../support/messages/smtp.ts";
import { startService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";
import { startDatabaseProxy } from "./database-proxy.ts";

let database: TestDatabase;
let listening: Listening | undefined;
const heard = { notifications: 0, lost: 0 };
beforeEach(async () => {
  database = await createTestDatabase("postgres");
  Object.assign(heard, { notifications: 0, lost: 0 });
});
afterEach(async () => {
  listening?.close();
  await database.close();
});

async function listenToQueue(): Promise<void> {
  if (!("url" in database.address)) throw new Error("this is PostgreSQL");
  listening = listenForNotifications(database.address.url, QUEUED_CHANNEL, {
    onNotify: () => heard.notifications++,
    onLost: () => heard.lost++,
  });
  // The start of listening is announced, too.
  await until("it listens", () => heard.notifications === 1);
}

/** Resolves once all earlier notifications have arrived. */
async function settle(): Promise<void> {
  const before = heard.notifications;
  await notifyQueued(database.db);
  await until("the notification is heard", () => heard.notifications > before);
}

test("one process notifies another of a queued message", async () => {
  await listenToQueue();
  const notify = createNotifyQueued(database.db);
  notify();
  await until("it is heard", () => heard.notifications === 2);
});

test("a thousand messages that are queued together cause a few notifications, one after the last of them", async () => {
  await listenToQueue();
  const notify = createNotifyQueued(database.db);
  const beganAt = performance.now();
  for (let count = 0; count < 1_000; count++) notify();
  await until("the first and the rest are heard", () => heard.notifications >= 3);
  await settle();
  const pauses = (performance.now() - beganAt) / 200;
  expect(heard.notifications).toBeLessThanOrEqual(3 + 1 + pauses);
});

test("a broken connection is replaced, and missed notifications are reported", async () => {
  await listenToQueue();
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'signet listener' and datname = current_database()`.execute(database.db);
  await until("it listens again", () => heard.notifications === 2);
  expect(heard.lost).toBe(1);
  await settle();
  expect(heard.notifications).toBe(3);
});

test("an unreachable database does not end the listener", async () => {
  listening = listenForNotifications("postgres://signet@127.0.0.1:1/signet", QUEUED_CHANNEL, {
    onNotify: () => heard.notifications++,
    onLost: () => heard.lost++,
  });
  await until("it has noticed", () => heard.lost === 1);
  expect(heard.notifications).toBe(0);
});

test("closing does not wait for an unresponsive database", async () => {
  if (!("url" in database.address)) throw new Error("this is PostgreSQL");
  const proxy = await startDatabaseProxy(database.address.url);
  const there = listenForNotifications(proxy.url, QUEUED_CHANNEL, {
    onNotify: () => heard.notifications++,
    onLost: () => heard.lost++,
  });
  await until("it listens", () => heard.notifications === 1);
  proxy.silence();
  // Awaited, because closing may become asynchronous.
  await there.close();
  proxy.close();
  expect(heard.lost).toBe(0);
});

test("delivery continues after the database has ended its connections", async () => {
  const smtp = await startSmtp();
  const service = await startService("postgres", { SMTP_URL: smtp.url, EMAIL_FROM: "signet@id.example.com" });
  await importUser(service, "first");
  const held = Promise.withResolvers<void>();
  smtp.hold = held.promise;
  service.delivery.start();
  await until("the server has the message", () => smtp.holding === 1);
  // The outcome cannot be stored at first: another session holds the row, and all others are terminated.
  const end = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database()`;
  await service.db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    await sql`select from messages for update`.execute(connection);
    held.resolve();
    // Queried over another connection, because a transaction keeps its first view.
    await untilBlocked(service.db);
    await end.execute(connection);
    await sql`commit`.execute(connection);
  });
  // A connection may not have noticed yet that it was ended.
  const isStored = () =>
    readMessages(service).then(
      ([first]) => first?.state === "sent",
      () => false,
    );
  await until("it is stored", isStored);
  await importUser(service, "second");
  service.delivery.wake();
  await smtp.arrivals(2);
  await until("that is stored too", async () => (await readMessages(service))[1]?.state === "sent");
  expect(smtp.arrived.map(({ to }) => to)).toEqual(["first@example.com", "second@example.com"]);
  expect(service.logs).toContainEqual(
    expect.objectContaining({ msg: "could not store the outcome of a message, retrying" }),
  );
  await service.close();
  await smtp.close();
});
