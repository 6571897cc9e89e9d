import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import type { Database } from "../../src/database/database.ts";
import type { Purge } from "../../src/database/purge.ts";
import { createRetention } from "../../src/instance/retention.ts";
import { ENDED_MESSAGES } from "../../src/messages/ended-messages.ts";
import { removeOldFiles } from "../../src/messages/senders/message-file.ts";
import { ENDED_CODES, ENDED_TOKENS } from "../../src/server/delete-ended.ts";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../support/databases/database.ts";

const NOW = new Date("2026-11-22T12:00:00Z");
const PURGES = [ENDED_MESSAGES, ENDED_CODES, ENDED_TOKENS];
const ORG = sql<string>`'01900000-0000-7000-8000-000000000001'::uuid`;

/** The time this many days ago. */
const ago = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

describe.each(DATABASE_KINDS)("retention on %s", (kind) => {
  let database: TestDatabase;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
    db = database.db;
    await sql`
      insert into orgs (id, name, name_key, sequence, created_at, changed_at)
      values (${ORG}, 'o', 'o', 1, now(), now())`.execute(db);
    await sql`
      insert into users (org_id, id, kind, user_name, user_name_key, sequence, created_at, changed_at)
      values (${ORG}, ${ORG}, 'machine', 'u', 'u', 1, now(), now())`.execute(db);
  });
  afterAll(() => database?.close());

  const logs: Record<string, unknown>[] = [];
  const log = pino({ level: "info", base: null }, { write: (line: string) => logs.push(JSON.parse(line)) });
  const retention = ({ days = 30, purges = PURGES as readonly Purge[], removeFiles = async () => {} } = {}) =>
    createRetention({ db, clock: () => NOW, log, days, purges, removeFiles });

  /** Adds a code, and a message if a state is given. `left` lists the remaining ones by name. */
  async function addCode(
    name: number,
    code: { used?: Date; expires?: Date },
    message?: { state: "sent" | "failed" | "expired" | "waiting"; ended?: Date },
  ): Promise<void> {
    const id = sql<string>`('01900000-0000-7000-8000-' || lpad(${name}::text, 12, '0'))::uuid`;
    await sql`
      insert into codes (org_id, id, user_id, kind, secret_hash, created_at, used_at, expires_at)
      values (${ORG}, ${id}, ${ORG}, 'phone', '', ${ago(90)}, ${code.used ?? null}, ${code.expires ?? null})`.execute(
      db,
    );
    if (message === undefined) return;
    const due = message.state === "waiting" ? NOW : null;
    await sql`
      insert into messages (org_id, id, user_id, code_id, channel, recipient, created_at, state, next_attempt_at, ended_at)
      values (${ORG}, ${id}, ${ORG}, ${id}, 'sms', '+4179', ${ago(90)}, ${message.state}, ${due},
        ${message.ended ?? null})`.execute(db);
  }

  async function addToken(name: number, token: { revoked?: Date; expires?: Date }): Promise<void> {
    await sql`
      insert into tokens (id, org_id, user_id, hash, last_four, created_at, revoked_at, expires_at)
      values (('01900000-0000-7000-8000-' || lpad(${name}::text, 12, '0'))::uuid, ${ORG}, ${ORG},
        int4send(${name}::int), '', ${ago(90)}, ${token.revoked ?? null}, ${token.expires ?? null})`.execute(db);
  }

  async function left(table: "codes" | "messages" | "tokens"): Promise<number[]> {
    const rows = await db.selectFrom(table).select("id").orderBy("id").execute();
    return rows.map(({ id }) => Number(id.slice(-12)));
  }

  async function clear(): Promise<void> {
    for (const table of ["messages", "codes", "tokens"] as const) await db.deleteFrom(table).execute();
  }

  async function addExamples(): Promise<void> {
    await clear();
    await addCode(1, { used: ago(31), expires: ago(30.5) }, { state: "sent", ended: ago(32) });
    await addCode(2, { expires: ago(31) }, { state: "sent", ended: ago(32) });
    await addCode(3, { expires: ago(29) }, { state: "sent", ended: ago(31) });
    await addCode(4, { expires: ago(29) }, { state: "sent", ended: ago(29) });
    await addCode(5, {}, { state: "waiting" });
    await addCode(6, {}, { state: "failed", ended: ago(31) });
    await addCode(7, {}, { state: "failed", ended: ago(29) });
    await addCode(8, { expires: ago(31) }, { state: "expired", ended: ago(31) });
    await addCode(9, { expires: ago(-1) });
    await addCode(10, { used: ago(1), expires: ago(-1) });
    await addCode(11, { expires: ago(40) });
    await addToken(1, {});
    await addToken(2, { revoked: ago(31) });
    await addToken(3, { revoked: ago(29) });
    await addToken(4, { expires: ago(31) });
    await addToken(5, { expires: ago(-1) });
    await addToken(6, { revoked: ago(31), expires: ago(-1) });
  }

  test("deletes only what ended more than this number of days ago", async () => {
    await addExamples();
    logs.length = 0;
    await retention().deleteDue();
    expect(await left("messages")).toEqual([4, 5, 7]);
    expect(await left("codes")).toEqual([3, 4, 5, 7, 9, 10]);
    expect(await left("tokens")).toEqual([1, 3, 5]);
    expect(logs.map(({ what, count }) => [what, count])).toEqual([
      ["messages", 5],
      ["codes", 5],
      ["tokens", 3],
    ]);
  });

  test("days of 0 keep everything", async () => {
    await addExamples();
    let removed = false;
    const removeFiles = async () => {
      removed = true;
    };
    await retention({ days: 0, removeFiles }).deleteDue();
    expect([(await left("codes")).length, (await left("messages")).length, (await left("tokens")).length]).toEqual([
      11, 8, 6,
    ]);
    expect(removed).toBe(false);
  });

  test("deletes in batches of 500, even if two processes do so concurrently", async () => {
    await clear();
    await sql`
      insert into codes (org_id, id, user_id, kind, secret_hash, created_at, expires_at)
      select ${ORG}, gen_random_uuid(), ${ORG}, 'phone', '', now(), ${ago(31)} from generate_series(1, 1250)`.execute(
      db,
    );
    const batches: number[] = [];
    const watched: Purge = {
      ...ENDED_CODES,
      async deleteBatch(...args) {
        const count = await ENDED_CODES.deleteBatch(...args);
        batches.push(count);
        return count;
      },
    };
    await Promise.all([retention({ purges: [watched] }).deleteDue(), retention({ purges: [watched] }).deleteDue()]);
    expect(await left("codes")).toEqual([]);
    expect(Math.max(...batches)).toBe(500);
    expect(batches.reduce((sum, count) => sum + count)).toBe(1_250);
  });

  test("stops between two batches, and waits for the one that runs", async () => {
    let running = 0;
    let ended = 0;
    const begun = Promise.withResolvers<void>();
    const endless: Purge = {
      what: "things",
      async deleteBatch() {
        running += 1;
        begun.resolve();
        await new Promise((resolve) => setTimeout(resolve, 20));
        ended += 1;
        return 500;
      },
    };
    const stopped = retention({ purges: [endless] });
    const deleting = stopped.deleteDue();
    deleting.catch(() => {});
    await begun.promise;
    await stopped.stop();
    await expect(deleting).rejects.toThrow();
    expect([running, ended]).toEqual([1, 1]);
  });
});

test("files of messages are removed by the time in their names, and other files are not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signet-files-"));
  const id = "01a1fed5-ed89-7a61-9544-95bb13569d63";
  const names = [
    `2026-10-01T10-00-00.000Z-${id}.eml`,
    `2026-10-01T10-00-00.000Z-${id}.txt`,
    `2026-11-21T10-00-00.000Z-${id}.eml`,
    `2026-10-01T10-00-00.000Z-${id}.zip`,
    "2026-10-01 notes.txt",
  ];
  for (const name of names) writeFileSync(join(folder, name), "");
  await removeOldFiles(folder, ago(30));
  expect(readdirSync(folder).sort()).toEqual(names.slice(2).sort());
  await removeOldFiles(join(folder, "missing"), NOW);
  rmSync(folder, { recursive: true });
});
