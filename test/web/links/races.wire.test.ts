import { compareSync } from "bcryptjs";
import { sql } from "kysely";
import { type Database, toDatabase } from "../../../src/database/database.ts";
import {
  call,
  changePhone,
  codeOf,
  createVisitor,
  eventsAfter,
  importAda,
  lastReceived,
  NUMBER,
  received,
  type TestResponse,
  userOf,
  VERIFIED,
  VISITED,
} from "../../support/browsers/visitor.ts";
import { BCRYPT } from "../../support/clients/requests.ts";
import { untilBlocked } from "../../support/databases/locks.ts";
import { startService, type TestService } from "../../support/servers/service.ts";

/** PostgreSQL only: the embedded database has one session, in which statements never run concurrently. */
let service: TestService;
beforeAll(async () => {
  // The pages use a quarter of the connections, which is enough for ten concurrent requests.
  service = await startService("postgres", { ...VISITED, DATABASE_POOL_SIZE: "48" });
  service.stopClock();
});
afterAll(() => service?.close());

const PASSWORD = "analytical engine no. 1";

/**
 * Locks the user's row until all requests wait for it, so that all of them have read its old state; then changes the row
 * and releases the lock.
 */
async function meet(
  userId: string,
  requests: readonly (() => Promise<TestResponse>)[],
  change: (db: Database) => Promise<unknown> = async () => {},
): Promise<TestResponse[]> {
  let responses: Promise<TestResponse[]> | undefined;
  await service.db.transaction().execute(async (transaction) => {
    await transaction.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
    responses = Promise.all(requests.map((request) => request()));
    await untilBlocked(service.db, requests.length);
    await change(toDatabase(transaction));
  });
  return (await responses) ?? [];
}

async function newUser() {
  const userId = await importAda(service);
  await changePhone(service, userId);
  service.clockOffsetMs += 60_000;
  return {
    userId,
    before: await userOf(service, userId),
    init: await lastReceived(service, userId, "initialization"),
    phone: await lastReceived(service, userId, "phone"),
  };
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const enter = ({ code, digits }: { code: string; digits: string }) =>
  createVisitor(service).post("/ui/phone", { code, digits });
const finish = ({ code }: { code: string }, password: string) =>
  createVisitor(service).post("/ui/init", { code, password, repeat: password });
const send = (path: string, { code }: { code: string }) => createVisitor(service).post(path, { code, do: "send" });
const statuses = (responses: readonly TestResponse[]) => responses.map(({ status }) => status).sort();

test("of correct codes that wait for the user's row, one succeeds", async () => {
  const { userId, before, phone } = await newUser();
  const responses = await meet(
    userId,
    times(5, () => () => enter(phone)),
  );
  expect(statuses(responses)).toEqual([200, 410, 410, 410, 410]);
  expect(await eventsAfter(service, userId, before.sequence)).toEqual([
    ["user.human.phone.verified", { phone: NUMBER }],
  ]);
  expect((await userOf(service, userId)).sequence).toBe(before.sequence + 1n);
});

test("of passwords that wait for the user's row, one is set", async () => {
  const { userId, before, init } = await newUser();
  const responses = await meet(
    userId,
    times(5, (index) => () => finish(init, service.secret(`${PASSWORD} ${index}`))),
  );
  expect(statuses(responses)).toEqual([200, 410, 410, 410, 410]);
  expect(await eventsAfter(service, userId, before.sequence)).toHaveLength(3);
});

test("of ten uses of a link to reset the password that wait for the user's row, one sets its password", async () => {
  const userId = await importAda(service, { ...VERIFIED, hashedPassword: { value: BCRYPT } });
  await call(service, "SendHumanResetPasswordNotification", { userId, type: "TYPE_EMAIL" });
  const { code } = await lastReceived(service, userId, "password");
  const { sequence } = await userOf(service, userId);
  const passwords = times(10, (index) => service.secret(`${PASSWORD} of reset ${index}`));
  const reset = (password: string) => createVisitor(service).post("/ui/password", { code, password, repeat: password });
  const responses = await meet(
    userId,
    passwords.map((password) => () => reset(password)),
  );
  expect(statuses(responses)).toEqual([200, ...times(9, () => 410)]);
  const { password_hash } = await userOf(service, userId);
  const used = passwords[responses.findIndex(({ status }) => status === 200)] ?? "";
  expect(compareSync(used, password_hash ?? "")).toBe(true);
  expect(await eventsAfter(service, userId, sequence)).toEqual([["user.human.password.changed", {}]]);
});

test("of confirmations of an address that wait for the user's row, one is recorded", async () => {
  const userId = await importAda(service, { hashedPassword: { value: BCRYPT } });
  const { sequence } = await userOf(service, userId);
  const init = await lastReceived(service, userId, "initialization");
  const responses = await meet(
    userId,
    times(5, () => () => finish(init, "")),
  );
  expect(statuses(responses)).toEqual([200, 410, 410, 410, 410]);
  expect((await eventsAfter(service, userId, sequence)).map(([type]) => type)).toEqual([
    "user.human.email.verified",
    "user.human.initialized",
  ]);
});

test.each(["init", "phone"] as const)(
  "of requests for a new %s code that wait for the user's row one succeeds",
  async (what) => {
    const { userId, before, ...links } = await newUser();
    const responses = await meet(
      userId,
      times(5, () => () => send(`/ui/${what}`, links[what])),
    );
    expect(statuses(responses)).toEqual([200, 429, 429, 429, 429]);
    expect(await received(service, userId, what === "init" ? "initialization" : "phone")).toHaveLength(2);
    expect(await eventsAfter(service, userId, before.sequence)).toHaveLength(1);
  },
);

test("a number that changes while the statement waits is not verified", async () => {
  const { userId, phone } = await newUser();
  const [response] = await meet(userId, [() => enter(phone)], (db) =>
    db
      .updateTable("users")
      .set({ phone: "+41791234500", sequence: sql`sequence + 1` })
      .where("id", "=", userId)
      .execute(),
  );
  expect(response?.status).toBe(410);
  expect(await userOf(service, userId)).toMatchObject({ phone: "+41791234500", phone_verified: false });
  expect(await codeOf(service, phone)).toMatchObject({ used_at: null });
});

test("a password that is stored while the statement waits is kept", async () => {
  const { userId, init } = await newUser();
  const [response] = await meet(userId, [() => finish(init, service.secret(PASSWORD))], (db) =>
    db
      .updateTable("users")
      .set({ password_hash: "stored meanwhile", sequence: sql`sequence + 1` })
      .where("id", "=", userId)
      .execute(),
  );
  // The page is shown again, for the address only.
  expect([response?.status, response?.title]).toEqual([200, "Confirm your email address"]);
  expect(await userOf(service, userId)).toMatchObject({ password_hash: "stored meanwhile", email_verified: false });
  expect((await finish(init, "")).title).toBe("All done");
  expect(await userOf(service, userId)).toMatchObject({ password_hash: "stored meanwhile", email_verified: true });
});

test("another change of the user while the statement waits does not make it fail", async () => {
  const { userId, before, phone } = await newUser();
  const [response] = await meet(userId, [() => enter(phone)], (db) =>
    db
      .updateTable("users")
      .set({ nick_name: "Countess", sequence: sql`sequence + 1` })
      .where("id", "=", userId)
      .execute(),
  );
  expect(response?.title).toBe("All done");
  expect(await userOf(service, userId)).toMatchObject({
    nick_name: "Countess",
    phone_verified: true,
    sequence: before.sequence + 2n,
  });
});

test("a code that is replaced while the statement waits is not used", async () => {
  const { userId, phone } = await newUser();
  const responses = await meet(userId, [() => enter(phone)], (db) =>
    Promise.all([
      db.updateTable("users").set({ sequence: sql`sequence + 1` }).where("id", "=", userId).execute(),
      sql`
        insert into codes (org_id, id, user_id, kind, recipient, secret_hash, created_at, sequence)
        select org_id, gen_random_uuid(), user_id, kind, recipient, secret_hash, created_at, sequence + 1
        from codes where id = ${phone.id}`.execute(db),
    ]),
  );
  expect(statuses(responses)).toEqual([410]);
  expect(await userOf(service, userId)).toMatchObject({ phone_verified: false });
});
