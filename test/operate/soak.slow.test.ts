import { sql } from "kysely";
import { soak } from "../../bench/soak-run.ts";
import { connect } from "../../src/database/connection.ts";
import { createProcesses, type Processes, readToken } from "../support/servers/process.ts";

const USERS = 500;

let processes: Processes;
beforeAll(() => {
  processes = createProcesses();
});
afterAll(() => processes.close());

test("memory is the same after three thousand and ten thousand calls", async () => {
  const { variables, tokenFile, address } = await processes.createInstallation("soak");
  const tenths = await soak({
    environment: { ...variables, BCRYPT_COST: "4", HASH_THREADS: "1" },
    async prepare() {
      const db = connect(address, 1, () => {});
      await sql`
        insert into users (org_id, id, kind, user_name, user_name_key, first_name, last_name, display_name, gender, email,
          email_verified, sequence, created_at, changed_at)
        select orgs.id, ('00000000-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, 'human', 'user-' || number,
          'user-' || number, 'Ada', 'Lovelace', 'Ada Lovelace', 0, 'ada@example.com', true, 1, now(), now()
        from orgs, generate_series(0, ${sql.lit(USERS - 1)}) as number`.execute(db);
      await db.destroy();
      return [readToken(tokenFile)];
    },
    users: USERS,
    calls: 10_000,
    restMs: 200,
  });
  // Until then, the statements are compiled in the background, and caches fill.
  const [first, last] = [tenths[2], tenths.at(-1)];
  expect(tenths).toHaveLength(10);
  // In MB.
  expect((last?.heap ?? Number.NaN) - (first?.heap ?? 0)).toBeLessThan(8);
  expect((last?.rss ?? Number.NaN) - (first?.rss ?? 0)).toBeLessThan(50);
});
