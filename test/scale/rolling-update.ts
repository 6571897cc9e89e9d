import { join } from "node:path";
import pg from "pg";
import { createProcesses, onPostgres, readToken } from "../support/servers/process.ts";
import { checkWrites } from "./check-writes.ts";
import type { EarlierVersion } from "./earlier-version.ts";
import { startLoad } from "./load.ts";
import type { Figures } from "./scenario.ts";

const IN_FLIGHT = 32;

/**
 * Updates two processes of an earlier version one after another, under load: the first new process migrates the tables,
 * while the earlier ones serve calls.
 *
 * @param url An empty database.
 * @param calls How many calls of each RPC have to succeed in each step.
 * @throws Error if any call fails, an acknowledged call is lost, or an object is stored in part.
 */
export async function updateRolling(earlier: EarlierVersion, url: string, calls: number): Promise<Figures> {
  const [before, after] = [createProcesses(earlier.program), createProcesses()];
  const dataDir = join(before.root, "data");
  const variables = { ...onPostgres(url), DATA_DIR: dataDir };
  try {
    const old = [await before.serve(variables), await before.serve(variables)] as const;
    const migrations = await readMigrations(url);
    const token = readToken(join(dataDir, "admin.token"));
    const load = await startLoad({ origins: old.map(({ origin }) => origin), token, inFlight: IN_FLIGHT });
    await load.more(calls);

    // It migrates before it listens.
    const first = await after.serve(variables);
    const ran = (await readMigrations(url)).filter((name) => !migrations.includes(name));
    await load.add(first.origin);
    await load.more(calls);
    if (earlier.acceptsNewerTables) {
      const restarted = await before.serve(variables);
      await load.add(restarted.origin);
      await load.more(calls);
      load.remove(restarted.origin);
      await restarted.stop();
    }
    load.remove(old[0].origin);
    await old[0].stop();
    const second = await after.serve(variables);
    await load.add(second.origin);
    await load.more(calls);
    load.remove(old[1].origin);
    await old[1].stop();
    await load.more(calls);
    await load.stop();
    for (const server of [first, second]) await server.stop();

    const { lost, partial, objects } = await checkWrites(url, load.acknowledged);
    const problems = [
      ...[...load.failures].map(([reason, count]) => `${count} calls failed with ${reason}`),
      ...lost.map((one) => `lost: ${one}`),
      ...partial.map((one) => `stored in part: ${one}`),
    ];
    if (problems.length > 0) throw new Error(problems.slice(0, 10).join("; "));
    return {
      "earlier version": earlier.ref,
      "migrations that ran under load": ran.join(", ") || "none",
      "an earlier process starts on the newer tables": earlier.acceptsNewerTables
        ? "yes"
        : "no, it is too old for that",
      "calls that succeeded": load.acknowledged.length,
      "calls that failed": 0,
      "objects that were stored in part": `${partial.length} of ${objects}`,
    };
  } finally {
    await before.close();
    await after.close();
  }
}

async function readMigrations(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
  await client.end();
  return rows.map(({ name }) => name);
}
