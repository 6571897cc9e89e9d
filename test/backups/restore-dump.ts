import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type RawBuilder, sql } from "kysely";
import { connect } from "../../src/database/connection.ts";
import { type RunOptions, runDocumented } from "./documented-commands.ts";
import { importMany } from "./import-many.ts";
import { createDatabase, initialize, startServer } from "./postgres-server.ts";
import { checkRefusal, checkSecret, checkService, onPostgres, startTried } from "./restored-service.ts";
import { environmentOf, type Figures, type Setting, time } from "./scenario.ts";

/** The commands that change restored data. */
async function checkRemedies(url: string, options: RunOptions): Promise<void> {
  const db = connect({ url }, 1, () => {});
  const count = async (from: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from ${from}`.execute(db);
    return Number(rows[0]?.count);
  };
  const waiting = sql`messages where state = 'waiting'`;
  const sessions = sql`oidc_artifacts where kind = 'Session'`;
  if ((await count(waiting)) !== 1 || (await count(sessions)) === 0) throw new Error("there is nothing to remedy");
  for (const heading of ["Messages", "Sessions", "Followers"]) await runDocumented(heading, options);
  if ((await count(waiting)) + (await count(sessions)) > 0) throw new Error("messages or sessions are left");
  const { rows } = await sql<{ next: bigint }>`select nextval('events_position_seq') as next`.execute(db);
  if (rows[0]?.next !== 123_457n) throw new Error(`the next position is ${rows[0]?.next}`);
  await db.destroy();
}

/** A dump is restored on another server, and the service is started on it, with and without its key. */
export async function restoreDump(setting: Setting): Promise<Figures> {
  const { processes, programs, owner, folder } = setting;
  const [first, second] = [join(folder, "first"), join(folder, "second")];
  for (const data of [first, second]) initialize(programs, data, owner);
  const [source, target] = [await startServer(programs, first, owner), await startServer(programs, second, owner)];
  const [url, newUrl] = [await createDatabase(source), await createDatabase(target)];
  const masterKey = randomBytes(32);
  try {
    const variables = onPostgres(url, masterKey, join(processes.root, "dump"));
    const tried = await startTried(processes, variables);
    await importMany(tried, setting.users);
    // Without SMTP_URL, its email waits.
    await tried.importUser("waiting", false);
    const env = environmentOf(setting, { DATABASE_URL: url, NEW_DATABASE_URL: newUrl });
    const options = { env, as: owner, cwd: folder };
    const dump = await time(() => runDocumented("Make a dump", options));
    await tried.server.stop();
    await source.stop();
    const restore = await time(() => runDocumented("Restore a dump", options));

    const restored = onPostgres(newUrl, masterKey, join(processes.root, "restored"));
    const wrong = onPostgres(newUrl, randomBytes(32), join(processes.root, "wrong"));
    await checkRefusal(
      processes,
      wrong,
      /^signet: MASTER_KEY_PREVIOUS is incomplete: add the master key with id \w+, .*\n$/,
    );
    const { MASTER_KEY: _, ...without } = restored;
    await checkRefusal(processes, without, /^signet: MASTER_KEY is not set: DATABASE_URL requires it; .*\n$/);
    await checkService(processes, restored, tried, ["ada"]);
    const shown = await runDocumented("Check that it works", options);
    if (!/ \d+ \| \d{4}-/.test(shown)) throw new Error(`the restored database shows ${shown}`);
    await checkSecret(newUrl, masterKey, tried);
    await checkRemedies(newUrl, options);
    const size = `${(statSync(join(folder, "signet.dump")).size / 1_048_576).toFixed(1)} MB`;
    return { users: String(setting.users), pg_dump: dump.seconds, size, pg_restore: restore.seconds };
  } finally {
    await Promise.all([source.stop(), target.stop()]);
  }
}
