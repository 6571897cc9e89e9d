import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { type Address, connect } from "../../src/database/connection.ts";
import type { Database } from "../../src/database/database.ts";
import { embeddedAddress } from "../../src/database/embedded.ts";
import { createCaller } from "../support/clients/callers.ts";
import { human, IMPORT_PATH, send, type TestResponse } from "../support/clients/send.ts";
import { DATABASE_KINDS, type DatabaseKind } from "../support/databases/database.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { startPostgres, type TestPostgres } from "../support/databases/postgres.ts";
import { createProcesses, readToken, type TestServer } from "../support/servers/process.ts";
import { until } from "../support/until.ts";

/** Enough for statements of many commands. */
const IN_FLIGHT = 64;
/** Before a call that a busy server has rejected is sent again. */
const BUSY_PAUSE_MS = 100;
/** Responses to wait for before the kill, so that it comes in the middle of the stream. */
const BEFORE_KILL = 150;
const HASH = "$2b$10$abcdefghijklmnopqrstuuBkwQU5bq0mFCYd4JvMwG9CmHDUYrKSe";

const processes = createProcesses();
const databases: EmptyDatabase[] = [];
processes.secret(HASH);
afterAll(async () => {
  await processes.close();
  for (const database of databases) await database.drop();
});

async function createPlace(kind: DatabaseKind): Promise<{ variables: Record<string, string>; address: Address }> {
  if (kind === "embedded") {
    const DATA_DIR = processes.dataDir("crash");
    return { variables: { DATA_DIR }, address: { socketDir: embeddedAddress(DATA_DIR) } };
  }
  const database = await createEmptyDatabase();
  databases.push(database);
  return {
    variables: {
      DATABASE_URL: database.url,
      DATA_DIR: join(processes.root, "crash-on-postgres"),
      PUBLIC_URL: "http://localhost:8080",
      MASTER_KEY: Buffer.alloc(32, 6).toString("base64"),
    },
    address: { url: database.url },
  };
}

/** An import that writes to every possible table: link, code, message and four events. */
function importOf(name: string, idpId: string) {
  return {
    ...human(name),
    email: { email: `${name}@example.com`, isEmailVerified: false },
    phone: { phone: "+41791234567", isPhoneVerified: true },
    hashedPassword: { value: HASH },
    idps: [{ configId: idpId, externalUserId: name, displayName: name }],
  };
}
const IDP = {
  name: "Corp",
  clientId: "c",
  clientSecret: processes.secret("crash-client-secret"),
  issuer: "https://idp.example.com",
};
const EVENTS = [
  "user.human.added",
  "user.human.idp.linked",
  "user.human.phone.verified",
  "user.human.initialization.requested",
];

interface Stream {
  /** Names by the id in the server's response. */
  readonly acknowledged: Map<string, string>;
  readonly asked: string[];
}

/** Sends an import again while the service rejects it because the database is stalled, for instance by a slow disk. */
async function sendImport(server: TestServer, request: Parameters<typeof send>[3]): Promise<TestResponse> {
  for (;;) {
    const response = await send(server.origin, "POST", IMPORT_PATH, request);
    if (response.status !== 503) return response;
    expect(response.body.details[0].reason).toBe("UNAVAILABLE");
    await wait(BUSY_PAUSE_MS);
  }
}

/** Imports users, this many at a time, until the server is killed in the middle. */
async function importUntilKilled(server: TestServer, token: string, idpId: string, prefix: string): Promise<Stream> {
  const stream: Stream = { acknowledged: new Map(), asked: [] };
  let isKilled = false;
  // Right after startup, a busy server rejects unknown callers.
  await until("the server knows the caller", async () => {
    const { status } = await send(server.origin, "POST", IMPORT_PATH, { token, body: {} });
    return status === 400;
  });
  const importOn = async () => {
    while (!isKilled) {
      const name = `${prefix}-${stream.asked.length}`;
      stream.asked.push(name);
      const headers = { "idempotency-key": name };
      const body = importOf(name, idpId);
      const response = await sendImport(server, { token, body, headers }).catch(() => undefined);
      if (response === undefined) return;
      expect(response).toMatchObject({ status: 200, body: { details: { sequence: String(EVENTS.length) } } });
      stream.acknowledged.set(response.body.userId, name);
    }
  };
  const all = Promise.all(Array.from({ length: IN_FLIGHT }, importOn));
  await Promise.race([until("enough is acknowledged", () => stream.acknowledged.size >= BEFORE_KILL), all]);
  server.child.kill("SIGKILL");
  isKilled = true;
  await all;
  expect(await server.ended).toMatchObject({ signal: "SIGKILL" });
  return stream;
}

/** The row counts of each human user, by name. */
async function readUsers(db: Database) {
  const { rows } = await sql<{ id: string; name: string; whole: Record<string, unknown> }>`
    select u.id, u.user_name as name, jsonb_build_object(
      'sequence', u.sequence,
      'hash', u.password_hash,
      'phone', u.phone,
      'links', (select coalesce(jsonb_agg(l.external_user_id), '[]') from user_idp_links l
        where l.org_id = u.org_id and l.user_id = u.id),
      'codes', (select coalesce(jsonb_agg(c.kind), '[]') from codes c where c.org_id = u.org_id and c.user_id = u.id),
      'messages', (select coalesce(jsonb_agg(m.recipient), '[]') from messages m
        join codes c on c.org_id = m.org_id and c.id = m.code_id and c.user_id = m.user_id
        where m.org_id = u.org_id and m.user_id = u.id),
      'events', (select coalesce(jsonb_agg(e.type order by e.sequence), '[]') from events e
        where e.owner_id = u.org_id and e.aggregate_id = u.id),
      'sequences', (select coalesce(jsonb_agg(e.sequence order by e.sequence), '[]') from events e
        where e.owner_id = u.org_id and e.aggregate_id = u.id)
    ) as whole
    from users u where u.kind = 'human'`.execute(db);
  return rows;
}

/** The rows of a complete user. */
function wholeUser(name: string) {
  return {
    sequence: EVENTS.length,
    hash: HASH,
    phone: "+41791234567",
    links: [name],
    codes: ["initialization"],
    messages: [`${name}@example.com`],
    events: EVENTS,
    sequences: EVENTS.map((_, index) => index + 1),
  };
}

/** Rows that belong to no object, by table. */
async function countOrphans(db: Database): Promise<Record<string, bigint>> {
  const { rows } = await sql<Record<string, bigint>>`
    with owned as (select org_id, id from users)
    select
      (select count(*) from user_idp_links l where not exists (select from owned o where o.org_id = l.org_id and o.id = l.user_id)) as links,
      (select count(*) from codes c where not exists (select from owned o where o.org_id = c.org_id and o.id = c.user_id)) as codes,
      (select count(*) from messages m where not exists (select from codes c where c.org_id = m.org_id and c.id = m.code_id)) as messages,
      (select count(*) from events e where
        not exists (select from owned o where o.org_id = e.owner_id and o.id = e.aggregate_id)
        and not exists (select from orgs where orgs.id = e.aggregate_id)
        and not exists (select from instance where instance.id = e.aggregate_id)
        and not exists (select from idps where idps.owner_id = e.owner_id and idps.id = e.aggregate_id)
        and not exists (select from apps where apps.owner_id = e.owner_id and apps.id = e.aggregate_id)) as events,
      (select count(*) from (select position from events group by position having count(*) > 1) as twice) as positions
    `.execute(db);
  return rows[0] ?? {};
}

describe.each(DATABASE_KINDS)("on %s", (kind) => {
  test("a killed server has lost no acknowledged import, has written none partially, and returns stored responses", async () => {
    const { variables, address } = await createPlace(kind);
    let server = await processes.serve(variables);
    const token = readToken(join(variables.DATA_DIR ?? "", "admin.token"));
    const idp = await send(server.origin, "POST", "/management/v1/idps/oidc", {
      token,
      body: IDP,
    });
    const acknowledged = new Map<string, string>();
    const asked = new Set<string>();
    // A second time, after a recovery, which PostgreSQL does itself.
    for (const round of kind === "embedded" ? ["first", "second"] : ["only"]) {
      const stream = await importUntilKilled(server, token, idp.body.idpId, round);
      for (const [id, name] of stream.acknowledged) acknowledged.set(id, name);
      for (const name of stream.asked) asked.add(name);
      // Some calls must have been cut off, or the kill did not interrupt anything.
      expect(stream.asked.length).toBeGreaterThan(stream.acknowledged.size);

      server = await processes.serve(variables);
      const db = connect(address, 1, () => {});
      const users = await readUsers(db);
      expect(await countOrphans(db)).toEqual({ links: 0n, codes: 0n, messages: 0n, events: 0n, positions: 0n });
      await db.destroy();

      const names = new Map(users.map(({ id, name }) => [id, name]));
      const lost = [...acknowledged].filter(([id, name]) => names.get(id) !== name);
      expect(lost).toEqual([]);
      // Interrupted imports are stored as a whole or not at all.
      for (const { name, whole } of users) {
        expect(asked.has(name)).toBe(true);
        expect(whole).toEqual(wholeUser(name));
      }
      expect(users.length).toBeLessThanOrEqual(acknowledged.size + 2 * IN_FLIGHT);
    }
    // Imports without a response are repeated with their keys, and so are some others: completed ones return the first
    // response, and the rest run now.
    const arrived = new Set(acknowledged.values());
    const names = [...[...asked].filter((name) => !arrived.has(name)), ...[...arrived].slice(0, 30)];
    const repeatOn = async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        const headers = { "idempotency-key": name };
        const body = importOf(name, idp.body.idpId);
        const response = await sendImport(server, { token, body, headers });
        expect(response).toMatchObject({ status: 200, body: { details: { sequence: String(EVENTS.length) } } });
        repeated.set(response.body.userId, name);
      }
    };
    const repeated = new Map<string, string>();
    await Promise.all(Array.from({ length: 16 }, repeatOn));
    const db = connect(address, 1, () => {});
    const stored = await readUsers(db);
    await db.destroy();
    expect(new Map(stored.map(({ id, name }) => [id, name]))).toEqual(new Map([...acknowledged, ...repeated]));
    expect(stored).toHaveLength(asked.size);
    for (const { name, whole } of stored) expect(whole).toEqual(wholeUser(name));

    // Taken names are still taken, and the service keeps working.
    const [, name = ""] = [...acknowledged][0] ?? [];
    const again = await send(server.origin, "POST", IMPORT_PATH, { token, body: importOf(name, idp.body.idpId) });
    expect(again).toMatchObject({ status: 409, body: { code: 6 } });
    const next = await send(server.origin, "POST", IMPORT_PATH, { token, body: importOf("next", idp.body.idpId) });
    expect(next).toMatchObject({ status: 200 });
    expect(await server.stop()).toMatchObject({ code: 0 });
  });
});

describe("with a separate PostgreSQL", () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres([]);
  });
  afterAll(() => postgres.stop());

  test("a killed PostgreSQL has lost no acknowledged import, and has written none in part", async () => {
    const url = postgres.urlOf("postgres");
    const DATA_DIR = join(processes.root, "crash-of-postgres");
    const MASTER_KEY = Buffer.alloc(32, 6).toString("base64");
    const server = await processes.serve({
      DATABASE_URL: url,
      DATA_DIR,
      PUBLIC_URL: "http://localhost:8080",
      MASTER_KEY,
    });
    const token = readToken(join(DATA_DIR, "admin.token"));
    const idp = await send(server.origin, "POST", "/management/v1/idps/oidc", { token, body: IDP });
    // One connection, because an address may not open hundreds per second.
    const caller = createCaller("grpc", { origin: server.origin, responses: [] }, token);
    const acknowledged = new Map<string, string>();
    const asked: string[] = [];
    let kills = 0;
    let failed = 0;
    const importOn = async () => {
      while (acknowledged.size < 1_000) {
        const name = `user-${asked.length}`;
        asked.push(name);
        const body = importOf(name, idp.body.idpId);
        const response = await caller.call("ImportHumanUser", body as never);
        if (response.ok) acknowledged.set(String(response.message.userId), name);
        else {
          expect(response.reason).toBe("UNAVAILABLE");
          failed += 1;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };
    const killOn = async () => {
      for (const size of [150, 450, 750]) {
        await until("enough is acknowledged", () => acknowledged.size >= size);
        await killBackend(url);
        kills += 1;
      }
    };
    await Promise.all([killOn(), ...Array.from({ length: IN_FLIGHT }, importOn)]);
    caller.close();
    expect(kills).toBe(3);
    expect(failed).toBeGreaterThan(0);
    expect(await server.stop()).toMatchObject({ code: 0 });

    const db = connect({ url }, 1, () => {});
    // After the last kill, PostgreSQL may still recover.
    const isServing = () =>
      sql`select`.execute(db).then(
        () => true,
        () => false,
      );
    await until("PostgreSQL has recovered", isServing);
    const users = await readUsers(db);
    const orphans = await countOrphans(db);
    await db.destroy();
    expect(orphans).toEqual({ links: 0n, codes: 0n, messages: 0n, events: 0n, positions: 0n });
    const names = new Map(users.map(({ id, name }) => [id, name]));
    expect([...acknowledged].filter(([id, name]) => names.get(id) !== name)).toEqual([]);
    for (const { name, whole } of users) expect(whole).toEqual(wholeUser(name));
    expect(new Set(users.map(({ name }) => name)).size).toBe(users.length);
    expect(users.length).toBeLessThanOrEqual(acknowledged.size + failed);
  });
});

/** Kills a session's process in the middle of its work: PostgreSQL ends all sessions and recovers from the WAL. */
async function killBackend(url: string): Promise<void> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name = 'signet' order by state limit 1",
  );
  const [session] = rows;
  if (session === undefined) throw new Error("the server has no session");
  process.kill(session.pid, "SIGKILL");
  await client.end().catch(() => {});
}
