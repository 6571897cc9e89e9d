import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { connect } from "../../src/database/connection.ts";
import { type Channel, claimMessages, FIRST_TURN, turnAfter } from "../../src/messages/claim-messages.ts";
import { MAX_IN_FLIGHT } from "../../src/messages/create-channel-delivery.ts";
import { createDelivery } from "../../src/messages/create-delivery.ts";
import { createSenders } from "../../src/messages/senders/create-senders.ts";
import { BCRYPT } from "../support/clients/requests.ts";
import { IMPORT_PATH, send } from "../support/clients/send.ts";
import { createTestDatabase } from "../support/databases/database.ts";
import { importUser } from "../support/messages/queued.ts";
import { startSmtp } from "../support/messages/smtp.ts";
import { startService, type TestService } from "../support/servers/service.ts";
import { until } from "../support/until.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const LEASE = { now: NOW, until: new Date("2026-01-01T00:01:30Z") };

/** Messages of one line, each named by its recipient: the prefix and a number from 1. */
interface Queued {
  readonly orgId: string;
  readonly byImport?: boolean;
  readonly channel?: Channel;
  readonly prefix: string;
  readonly messages: number;
  /** Failed attempts. */
  readonly attempts?: number;
  readonly dueInMs?: number;
}

let service: TestService;
let [a, b] = ["", ""];
beforeAll(async () => {
  service = await startService("postgres");
  [a = "", b = ""] = [await service.createOrg("a"), await service.createOrg("b")].sort();
});
afterEach(async () => {
  await service.db.deleteFrom("messages").execute();
});
afterAll(() => service?.close());

async function queue({ orgId, byImport = false, channel = "email", prefix, messages, ...more }: Queued) {
  const { attempts = 0, dueInMs = -60_000 } = more;
  const rows = Array.from({ length: messages }, (_, index) => ({
    ...{ org_id: orgId, id: randomUUID(), user_id: randomUUID(), notice: "registration", channel, attempts },
    ...{ by_import: byImport, recipient: `${prefix} ${index + 1}`, created_at: NOW },
    next_attempt_at: new Date(NOW.getTime() + dueInMs + index),
    last_error: attempts > 0 ? "451 later" : null,
  }));
  await service.db.insertInto("messages").values(rows).execute();
}

/** Claims messages one by one, like a process whose places become free one by one. */
function createClaims(channel: Channel = "email") {
  let turn = FIRST_TURN;
  return {
    async next(): Promise<string | undefined> {
      const claimed = await claimMessages(service.db, { channel, limit: 1, exclude: [], turn, ...LEASE });
      turn = turnAfter(turn, claimed);
      return claimed[0]?.recipient;
    },
    async rest(): Promise<string[]> {
      const names: string[] = [];
      for (let name = await this.next(); name !== undefined; name = await this.next()) names.push(name);
      return names;
    },
  };
}

test.each<Channel>(["email", "sms"])(
  "imports of two organizations and what others wait for take turns: %s",
  async (channel) => {
    await queue({ orgId: a, byImport: true, channel, prefix: "import of a", messages: 4 });
    await queue({ orgId: b, byImport: true, channel, prefix: "import of b", messages: 3, dueInMs: -30_000 });
    await queue({ orgId: a, channel, prefix: "reset in a", messages: 1, dueInMs: -10 });
    await queue({ orgId: b, channel, prefix: "reset in b", messages: 2, dueInMs: -10 });
    await queue({ orgId: a, channel: channel === "sms" ? "email" : "sms", prefix: "other channel", messages: 1 });
    expect(await createClaims(channel).rest()).toEqual([
      ...["reset in a 1", "import of a 1", "reset in b 1", "import of b 1"],
      ...["import of a 2", "reset in b 2", "import of b 2"],
      ...["import of a 3", "import of b 3"],
      "import of a 4",
    ]);
  },
);

test("what is requested while an import waits is sent next", async () => {
  await queue({ orgId: b, byImport: true, prefix: "import of b", messages: 6 });
  const claims = createClaims();
  expect([await claims.next(), await claims.next()]).toEqual(["import of b 1", "import of b 2"]);
  await queue({ orgId: b, prefix: "reset in b", messages: 1, dueInMs: -10 });
  expect([await claims.next(), await claims.next()]).toEqual(["reset in b 1", "import of b 3"]);
  await queue({ orgId: a, byImport: true, prefix: "invitation to a", messages: 1, dueInMs: -10 });
  expect([await claims.next(), await claims.next()]).toEqual(["invitation to a 1", "import of b 4"]);
});

test("retries take turns with the first attempts, and those of imports with all others", async () => {
  await queue({ orgId: a, byImport: true, prefix: "import", messages: 4 });
  await queue({ orgId: a, byImport: true, prefix: "import again", messages: 3, attempts: 1 });
  await queue({ orgId: b, prefix: "reset again", messages: 2, attempts: 3, dueInMs: -1_000 });
  await queue({ orgId: b, prefix: "not due", messages: 1, attempts: 1, dueInMs: 1 });
  expect(await createClaims().rest()).toEqual([
    ...["import 1", "reset again 1", "import 2", "import again 1"],
    ...["import 3", "reset again 2", "import 4", "import again 2"],
    "import again 3",
  ]);
});

test("nothing waits forever, even if there are always new messages in all other lines", async () => {
  await queue({ orgId: a, byImport: true, prefix: "import", messages: 9 });
  await queue({ orgId: a, byImport: true, prefix: "again", messages: 9, attempts: 1 });
  const claims = createClaims();
  const claimed: (string | undefined)[] = [];
  for (let round = 0; round < 40; round++) {
    // Earlier than all others, so that an order by time alone would prefer them.
    await queue({ orgId: a, prefix: "reset in a", messages: 1, dueInMs: -120_000 });
    await queue({ orgId: b, prefix: "reset in b", messages: 1, dueInMs: -120_000 });
    await queue({ orgId: b, prefix: "reset again", messages: 1, attempts: 1, dueInMs: -120_000 });
    claimed.push(await claims.next());
  }
  // Of four turns, one is the import's, and one that of the retries, which imports have every other time.
  const count = (prefix: string) => claimed.filter((name) => name?.startsWith(`${prefix} `)).length;
  expect({ import: count("import"), again: count("again") }).toEqual({ import: 9, again: 5 });
});

test("a claim for all free places takes messages of all lines, each once", async () => {
  await queue({ orgId: a, prefix: "reset in a", messages: 1 });
  await queue({ orgId: b, byImport: true, prefix: "import of b", messages: 1 });
  await queue({ orgId: b, prefix: "reset again", messages: 1, attempts: 1 });
  await queue({ orgId: b, byImport: true, prefix: "import again", messages: 1, attempts: 1 });
  const claim = async (turn = FIRST_TURN) => {
    const claimed = await claimMessages(service.db, { channel: "email", limit: 5, exclude: [], turn, ...LEASE });
    return claimed.map(({ recipient }) => recipient).sort();
  };
  expect(await claim({ orgId: b, byImport: false, retriesByImport: true })).toEqual(
    ["import again 1", "import of b 1", "reset again 1", "reset in a 1"].sort(),
  );
  expect(await claim()).toEqual([]);
});

test("resets and invitations are sent between the emails of an import of 500 users, which all arrive once", async () => {
  const smtp = await startSmtp();
  const service = await startService("postgres", { SMTP_URL: smtp.url, EMAIL_FROM: "signet@id.example.com" });
  const { db, keyring, config, clock, log } = { ...service, log: { debug() {}, info() {}, warn() {}, error() {} } };
  const { publicUrl } = config;
  const senders = createSenders(config, clock);
  const other = createDelivery({ db, keyring, clock, senders, publicUrl, log: log as never });
  const post = async (path: string, orgId: string, body: object) => {
    const headers = { "x-service-orgid": orgId };
    const response = await send(service.origin, "POST", path, { token: service.adminToken, body, headers });
    expect(response.status).toBe(200);
    return response.body;
  };
  const human = (name: string) => ({ userName: name, profile: { firstName: "Ada", lastName: "Lovelace" } });
  const addRegistered = async (orgId: string, name: string): Promise<string> => {
    const email = { email: `${name}@example.com`, isEmailVerified: true };
    return (await post(IMPORT_PATH, orgId, { ...human(name), email, hashedPassword: { value: BCRYPT } })).userId;
  };
  const requestReset = (orgId: string, userId: string) =>
    post(`/management/v1/users/${userId}/password/_reset`, orgId, { type: "TYPE_EMAIL" });

  const otherOrg = await service.createOrg("other");
  const [ada, grace] = [await addRegistered(service.orgId, "ada"), await addRegistered(otherOrg, "grace")];
  const imported = Array.from({ length: 500 }, (_, index) => `imported${index}`);
  while (imported.length > 0) {
    await Promise.all(imported.splice(0, 50).map((name) => importUser(service, name)));
  }
  const held = Promise.withResolvers<void>();
  smtp.hold = held.promise;
  service.delivery.start();
  other.start();
  await until("two processes send the import", () => smtp.holding === 2 * MAX_IN_FLIGHT);
  await requestReset(otherOrg, grace);
  await requestReset(service.orgId, ada);
  await post(IMPORT_PATH, otherOrg, { ...human("invited"), email: { email: "invited@example.com" } });
  held.resolve();
  const total = 503;
  await smtp.arrivals(total);

  const recipients = smtp.arrived.map(({ to }) => to);
  const requested = ["grace", "ada", "invited"].map((name) => recipients.indexOf(`${name}@example.com`));
  for (const position of requested) {
    expect(position).toBeGreaterThanOrEqual(0);
    // In the order in which they were queued, they would arrive last. How many arrive while they are sent depends on the
    // machine; the tests of claims show the exact order.
    expect(position).toBeLessThan(total / 2);
  }
  expect(new Set(recipients).size).toBe(total);
  await until("all are stored", async () => {
    const waiting = await db.selectFrom("messages").select("id").where("state", "<>", "sent").limit(1).execute();
    return waiting.length === 0;
  });
  expect(recipients).toHaveLength(total);
  const { attempts } = await db
    .selectFrom("messages")
    .select(({ fn }) => fn.max("attempts").as("attempts"))
    .executeTakeFirstOrThrow();
  expect(attempts).toBe(1);
  await other.stop(0);
  await service.close();
  await smtp.close();
});

test("a claim reads a few rows of a queue of 100,000 messages, even with a generic plan", async () => {
  const database = await createTestDatabase("postgres");
  const db = connect(database.address, 1, () => {});
  await sql`set plan_cache_mode = force_generic_plan`.execute(db);
  const now = new Date();
  const claim = (limit: number) =>
    claimMessages(db, { channel: "email", limit, exclude: [], turn: FIRST_TURN, now, until: now });

  // A backlog of one organization, few messages of many, and retries that are not due. In parts, each of which a busy
  // machine inserts within the time limit of a statement.
  for (let first = 1; first < 100_000; first += 5_000) {
    await sql`
      insert into messages (org_id, id, user_id, notice, channel, recipient, created_at, next_attempt_at, attempts, by_import)
      select ('01900000-0000-7000-8000-' || lpad((case when n % 2 = 0 then 0 else n end)::text, 12, '0'))::uuid,
        gen_random_uuid(), gen_random_uuid(), 'registration', 'email', '', now(),
        case when n % 3 = 0 then now() + interval '1 hour' else now() - interval '1 minute' end,
        case when n % 3 = 0 then 1 else 0 end, n % 2 = 0
      from generate_series(${first}::int, ${first + 4_999}::int) as n`.execute(db);
  }
  await sql`analyze`.execute(db);
  const readRows = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ count: bigint }>`
      select (select sum(seq_tup_read)::bigint from pg_stat_user_tables where relname = 'messages')
        + (select sum(idx_tup_read)::bigint from pg_stat_user_indexes where relname = 'messages') as count`.execute(db);
    return Number(rows[0]?.count);
  };
  for (const limit of [1, 5]) {
    const before = await readRows();
    expect(await claim(limit)).toHaveLength(limit);
    expect((await readRows()) - before).toBeLessThanOrEqual(4 * limit);
  }
  await db.destroy();
  await database.close();
});
