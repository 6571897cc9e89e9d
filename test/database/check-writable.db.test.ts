import { sql } from "kysely";
import { createCheckWritable } from "../../src/database/check-writable.ts";
import { connect } from "../../src/database/connection.ts";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../support/databases/database.ts";

describe.each(DATABASE_KINDS)("the check on %s", (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(() => database.close());

  const run = (text: string) => sql.raw(text).execute(database.db);
  /** Which transaction wrote the row that the check writes. */
  const lastWrite = async () =>
    (await sql<{ xmin: string }>`select xmin::text from rate_limits where key = 'readiness'`.execute(database.db)).rows;

  /**
   * Changes a setting for all connections: the embedded database has one session, PostgreSQL a default for new ones.
   */
  async function set(setting: string): Promise<void> {
    await run(kind === "embedded" ? `set ${setting}` : `alter database ${await databaseName()} set ${setting}`);
  }

  async function resetSettings(): Promise<void> {
    // Open connections keep the defaults that they started with.
    await run(kind === "embedded" ? "reset all" : `alter database ${await databaseName()} reset all`);
  }

  async function databaseName(): Promise<string> {
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
    return rows[0]?.name ?? "";
  }

  test.each([
    ["is read-only", "default_transaction_read_only = on", "25006"],
    // As on a full disk, where the server cannot write a temporary file either (SQLSTATE 53100).
    ["cannot write to a new file", "temp_file_limit = '64kB'", "53400"],
  ])("fails if the database %s, although it responds to a query", async (_what, setting, code) => {
    await set(setting);
    const db = connect(database.address, 1, () => {});
    await expect(sql`select 1`.execute(db)).resolves.toBeDefined();
    await expect(createCheckWritable(db)()).rejects.toMatchObject({
      reason: "UNAVAILABLE",
      cause: { message: `SQLSTATE ${code}` },
    });
    await db.destroy();
    await resetSettings();
  });

  test("queries the database once per second for all callers", async () => {
    const startedAt = performance.now();
    const clock = jest.spyOn(performance, "now").mockReturnValue(startedAt);
    try {
      const check = createCheckWritable(database.db);
      await Promise.all(Array.from({ length: 100 }, check));
      const first = await lastWrite();
      expect(first).toHaveLength(1);
      clock.mockReturnValue(startedAt + 1_000);
      for (let ask = 0; ask < 100; ask += 1) await check();
      expect(await lastWrite()).toEqual(first);
      clock.mockReturnValue(startedAt + 1_001);
      await check();
      expect(await lastWrite()).not.toEqual(first);
    } finally {
      clock.mockRestore();
    }
  });

  test("does not change the settings of the session", async () => {
    const db = connect(database.address, 1, () => {});
    const settings = sql`select current_setting('work_mem') as memory, current_setting('temp_tablespaces') as spaces`;
    const before = (await settings.execute(db)).rows;
    await createCheckWritable(db)();
    expect((await settings.execute(db)).rows).toEqual(before);
    await db.destroy();
  });
});
