import { sql } from "kysely";
import pg from "pg";
import { findSignInUser } from "../../src/sign-in/find-sign-in-user.ts";
import { createPerson } from "../support/browsers/person.ts";
import {
  call,
  createVisitor,
  importAda,
  lastReceived,
  userOf,
  VERIFIED,
  VISITED,
} from "../support/browsers/visitor.ts";
import { environment } from "../support/databases/database.ts";
import { untilBlocked } from "../support/databases/locks.ts";
import {
  createRelyingParty,
  createRequest,
  findRequest,
  newBrowser,
  type RelyingParty,
} from "../support/oidc/relying-party.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const PASSWORD = "analytical engine no. 1";
const NEW_PASSWORD = "difference engine no. 2";

/** PostgreSQL only: in the embedded database, statements never run concurrently. */
let service: TestService;
let app: RelyingParty;
let holder: pg.Client;
beforeAll(async () => {
  service = await startService("postgres", { ...VISITED, DATABASE_POOL_SIZE: "24" });
  for (const password of [PASSWORD, NEW_PASSWORD]) service.secret(password);
  app = await createRelyingParty(service);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(service.db);
  const url = new URL(environment("TEST_POSTGRES_URL"));
  url.pathname = `/${rows[0]?.name}`;
  holder = new pg.Client(url.href);
  await holder.connect();
  // A row with the name in the table is stored once the test has released its lock.
  await holder.query(`
    create table held (name text);
    create function wait_for_test() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(1) where to_jsonb(new) ->> tg_argv[0] in (select name from held);
      return new;
    end $$;
    create trigger wait_for_test before insert on events for each row execute function wait_for_test('type');
    create trigger wait_for_test before insert on oidc_artifacts for each row execute function wait_for_test('kind')`);
});
afterAll(async () => {
  await holder?.end();
  await service?.close();
});

/** Runs both, the second once the first is storing the row with this name. */
async function meet(name: string, first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
  await holder.query("select pg_advisory_lock(1)");
  await holder.query("insert into held values ($1)", [name]);
  const held = first();
  await untilBlocked(service.db);
  const waiting = second();
  await Promise.race([untilBlocked(service.db, 2), waiting]);
  await holder.query("delete from held");
  await holder.query("select pg_advisory_unlock(1)");
  await Promise.all([held, waiting]);
}

/** The ways to change a password. Each returns the last step, after which the password is changed. */
const CHANGES: Readonly<Record<string, (userId: string, userName: string) => Promise<() => Promise<unknown>>>> = {
  async SetHumanPassword(userId) {
    return () => call(service, "SetHumanPassword", { userId, password: NEW_PASSWORD });
  },
  async "the account page"(_userId, username) {
    const person = createPerson(service);
    await person.submit(await person.open("/ui/account"), { username, password: PASSWORD });
    const form = await person.open("/ui/account/password");
    return () => person.submit(form, { current: PASSWORD, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
  },
  async "a reset link"(userId) {
    await call(service, "SendHumanResetPasswordNotification", { userId, type: "TYPE_EMAIL" });
    const { code } = await lastReceived(service, userId, "password");
    return () => createVisitor(service).post("/ui/password", { code, password: NEW_PASSWORD, repeat: NEW_PASSWORD });
  },
};

/** A sign-in with the old password that only has to be stored. */
async function prepareSignIn(userId: string) {
  const browser = newBrowser(service);
  const found = await findRequest(service, browser, (await browser.open(createRequest(app).url.href)).location);
  const user = await findSignInUser(service, userId);
  if (found === undefined || user === undefined) throw new Error("there is no sign-in");
  const { sequence, passwordHash } = user;
  const signedIn = { userId, sequence, passwordHash, initialized: true, methods: ["pwd"], remember: false };
  return { browser, store: () => service.interactions.finish(found, signedIn) };
}

async function isSignedIn(browser: ReturnType<typeof newBrowser>): Promise<boolean> {
  const { location } = await browser.open(createRequest(app, { prompt: "none" }).url.href);
  return new URL(location).searchParams.has("code");
}

describe.each(Object.keys(CHANGES))("a password that is changed by %s", (name) => {
  async function start() {
    const userId = await importAda(service, { ...VERIFIED, password: PASSWORD });
    const { user_name } = await userOf(service, userId);
    const change = await CHANGES[name]?.(userId, user_name);
    if (change === undefined) throw new Error("there is no change");
    return { userId, change, ...(await prepareSignIn(userId)) };
  }
  const passwordOf = async (userId: string) => (await userOf(service, userId)).password_hash;

  test("ends a sign-in that is being stored", async () => {
    const { userId, change, browser, store } = await start();
    const before = await passwordOf(userId);
    let returnTo = "";
    const sign = async () => {
      returnTo = await store();
    };
    await meet("user.human.signed.in", sign, change);
    expect(await passwordOf(userId)).not.toBe(before);
    await browser.open(returnTo);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("ends a sign-in that is stored while the password is being changed", async () => {
    const { change, browser, store } = await start();
    let outcome: unknown;
    const sign = async () => {
      outcome = await store().catch(({ reason }) => reason);
    };
    await meet("user.human.password.changed", change, sign);
    expect(outcome).toBe("USER_NOT_FOUND");
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("ends a session that is being stored", async () => {
    const { userId, change, browser, store } = await start();
    const before = await passwordOf(userId);
    const returnTo = await store();
    await meet("Session", () => browser.open(returnTo), change);
    expect(await passwordOf(userId)).not.toBe(before);
    expect(await isSignedIn(browser)).toBe(false);
  });
});
