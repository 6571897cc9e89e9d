import { type Kysely, sql } from "kysely";
import pg from "pg";
import { connect } from "../../src/database/connection.ts";
import { MIGRATIONS, migrate } from "../../src/database/migrate.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../support/databases/empty-database.ts";
import { until } from "../support/until.ts";

/** A migration that alters the table `users`. */
const LATER = {
  "9999-later": { up: (db: Kysely<unknown>) => sql`alter table users add color text`.execute(db).then(() => {}) },
};

let database: EmptyDatabase;
let [holder, reader]: pg.Client[] = [];
beforeAll(async () => {
  database = await createEmptyDatabase();
  const db = connect({ url: database.url }, 1, () => {});
  await migrate(db);
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
  const migrated = migrate(db, { ...MIGRATIONS, ...LATER });
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
  expect(await migrated).toEqual(["9999-later"]);
  await db.destroy();
});
