import { Migrator } from "kysely/migration";
import pg from "pg";
import { connect } from "../../src/database/connection.ts";
import { MIGRATIONS, migrate } from "../../src/database/migrate.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { until } from "../support/until.ts";

/** The migration before one that alters the table `users`. */
const BEFORE = "0009-external-sign-in";

let database: EmptyDatabase;
let [holder, reader]: pg.Client[] = [];
beforeAll(async () => {
  database = await createEmptyDatabase();
  const db = connect({ url: database.url }, 1, () => {});
  await new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } }).migrateTo(BEFORE);
  await db.destroy();
  [holder, reader] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([holder.connect(), reader.connect()]);
});
afterAll(async () => {
  await Promise.all([holder?.end(), reader?.end()]);
  await database.drop();
});

test("a migration that cannot lock a table does not block others, and runs later", async () => {
  // Like a backup.
  await holder?.query("begin; select count(*) from users");
  const db = connect({ url: database.url }, 1, () => {}, { timeLimits: false });
  const migrated = migrate(db);
  const isWaiting = async () => {
    const { rows } = (await reader?.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )) ?? { rows: [] };
    return rows.length > 0;
  };
  await until("the migration waits for the lock", isWaiting);
  // The limit of the service's own statements. The holder commits only after this.
  await reader?.query("set statement_timeout = '10s'");
  await reader?.query("select count(*) from users");
  await until("it waits again", isWaiting);
  await holder?.query("commit");
  expect(await migrated).toContain("0010-second-factors");
  await db.destroy();
});
