/**
 * `npm run test:backups -- [scenario …] [--users <number>]`: makes and restores backups with the commands of
 * docs/guides/backups.md and docs/backups.md, signs a user in after each restore, and prints the measurements. Exits with 1 if a scenario fails,
 * or PostgreSQL programs are missing.
 */
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findOwner } from "../support/databases/postgres-programs.ts";
import { createProcesses } from "../support/servers/process.ts";
import { moveToPostgres } from "./move-to-postgres.ts";
import { findPrograms } from "./postgres-server.ts";
import { restoreDump } from "./restore-dump.ts";
import { restoreFolder } from "./restore-folder.ts";
import { restoreMoment } from "./restore-moment.ts";
import type { Figures, Setting } from "./scenario.ts";

const SCENARIOS: Readonly<Record<string, (setting: Setting) => Promise<Figures>>> = {
  dump: restoreDump,
  moment: restoreMoment,
  folder: restoreFolder,
  copy: moveToPostgres,
};

const { values, positionals } = parseArgs({
  options: { users: { type: "string", default: "100" } },
  allowPositionals: true,
});
const programs = findPrograms();
if ("missing" in programs) {
  fail(`not run: no folder has all programs of PostgreSQL; at least ${programs.missing.join(", ")} are missing`);
  fail("install PostgreSQL 15 or newer with its client programs (Debian: apt-get install postgresql)");
} else {
  for (const name of positionals.length > 0 ? positionals : Object.keys(SCENARIOS)) {
    await run(name, programs.folder);
  }
}

async function run(name: string, folder: string): Promise<void> {
  const scenario = SCENARIOS[name];
  if (scenario === undefined) {
    return fail(`there is no scenario ${name}: expected ${Object.keys(SCENARIOS).join(", ")}`);
  }
  console.log(`${name}:`);
  const owner = findOwner();
  const processes = createProcesses();
  const files = mkdtempSync(join(tmpdir(), "signet-backups-"));
  chmodSync(files, 0o755);
  if (owner) chownSync(files, owner.uid, owner.gid);
  const since = performance.now();
  try {
    const figures = await scenario({ processes, programs: folder, owner, folder: files, users: Number(values.users) });
    for (const [figure, value] of Object.entries(figures)) console.log(`  ${figure}: ${value}`);
    console.log(`  passed after ${Math.round((performance.now() - since) / 1_000)} s`);
  } catch (error) {
    fail(`  FAILED: ${error instanceof Error ? error.stack : error}`);
  } finally {
    await processes.close().catch((error) => fail(`  FAILED: ${error.message}`));
    rmSync(files, { recursive: true, force: true });
  }
}

function fail(text: string): void {
  console.error(text);
  process.exitCode = 1;
}
