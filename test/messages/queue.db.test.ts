import { sql } from "kysely";
import { connect } from "../../src/database/connection.ts";
import { claimMessages, FIRST_TURN } from "../../src/messages/claim-messages.ts";
import { endAttempt, renewClaims } from "../../src/messages/queue.ts";
import { BCRYPT } from "../support/clients/requests.ts";
import { createTestDatabase } from "../support/databases/database.ts";
import { changePhone, importUser, nowOf, readMessage } from "../support/messages/queued.ts";
import { startService, type TestService } from "../support/servers/service.ts";

const MINUTE_MS = 60_000;

describe("the queue", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService("postgres", { SMS_PROVIDER: "file" });
  });
  afterEach(async () => {
    await service.db.deleteFrom("messages").execute();
  });
  afterAll(() => service?.close());

  test("renewing a claim does not change the due time of a message whose attempt has failed in the meantime", async () => {
    await importUser(service, "ada");
    const { db } = service;
    const now = new Date();
    const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
    const options = {
      channel: "email",
      limit: 5,
      exclude: [],
      turn: FIRST_TURN,
      now: inMinutes(1),
      until: inMinutes(2),
    } as const;
    const claimed = await claimMessages(db, options);
    expect(claimed).toHaveLength(1);
    await renewClaims(db, claimed, inMinutes(3));
    expect((await readMessage(service)).next_attempt_at).toEqual(inMinutes(3));
    const outcome = { kind: "failed", error: "the server is down", nextAttemptAt: inMinutes(15) } as const;
    for (const message of claimed) await endAttempt(db, message, outcome, now);
    await renewClaims(db, claimed, inMinutes(4));
    expect((await readMessage(service)).next_attempt_at).toEqual(inMinutes(15));
  });

  test("a message is due now even if a clock that was ahead has set the user's last change to a later time", async () => {
    const email = { email: "ada@example.com", isEmailVerified: true };
    const userId = await importUser(service, "grace", { email, hashedPassword: { value: BCRYPT } });
    await sql`update users set changed_at = changed_at + interval '1 day' where id = ${userId}`.execute(service.db);
    await changePhone(service, userId, "+41791234567");
    const { next_attempt_at, created_at } = await readMessage(service);
    expect(created_at.getTime()).toBeGreaterThan(nowOf(service));
    expect(next_attempt_at?.getTime()).toBeLessThanOrEqual(nowOf(service));
  });
});

test("a claim reads due messages by indexes, even with a generic plan", async () => {
  const database = await createTestDatabase("postgres");
  const db = connect(database.address, 1, () => {});
  await sql`set plan_cache_mode = force_generic_plan`.execute(db);
  const org = sql`'01900000-0000-7000-8000-000000000001'::uuid`;
  const id = (table: number) => sql`('01900000-0000-7000-8${sql.lit(table)}00-' || lpad(n::text, 12, '0'))::uuid`;
  const name = sql`'user' || n`;
  await sql`
    insert into orgs (id, name, name_key, sequence, created_at, changed_at)
    values (${org}, 'o', 'o', 1, now(), now())`.execute(db);
  await sql`
    insert into users (org_id, id, kind, user_name, user_name_key, sequence, created_at, changed_at)
    select ${org}, ${id(1)}, 'machine', ${name}, ${name}, 1, now(), now() from generate_series(1, 20000) as n`.execute(
    db,
  );
  await sql`
    insert into codes (org_id, id, user_id, kind, secret_hash, created_at)
    select ${org}, ${id(2)}, ${id(1)}, 'initialization', '', now() from generate_series(1, 20000) as n`.execute(db);
  await sql`
    insert into messages (org_id, id, user_id, code_id, channel, recipient, created_at, state, next_attempt_at)
    select ${org}, ${id(3)}, ${id(1)}, ${id(2)}, 'email', '', now(), case when n > 10 then 'sent' else 'waiting' end,
      case when n > 10 then null else now() end from generate_series(1, 20000) as n`.execute(db);
  await sql`analyze`.execute(db);
  const readWhole = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ count: bigint }>`
      select sum(seq_scan)::bigint as count from pg_stat_user_tables
      where relname in ('messages', 'codes', 'users')`.execute(db);
    return rows[0]?.count;
  };
  const before = await readWhole();
  const now = new Date(Date.now() + MINUTE_MS);
  expect(
    await claimMessages(db, { channel: "email", limit: 5, exclude: [], turn: FIRST_TURN, now, until: now }),
  ).toHaveLength(5);
  expect(await readWhole()).toBe(before);
  await db.destroy();
  await database.close();
});
