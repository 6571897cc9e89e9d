/**
 * Measures the startup of the service on PostgreSQL with existing tables and an existing instance: `node bench/start.ts
 * [starts] [folder]`. Prints the medians of wall-clock time until the first response of `/readyz`, and of CPU time
 * until then. `folder` is another version to compare with, whose packages must be installed; the versions alternate.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startPostgres } from "../test/support/databases/postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { startServer } from "./processes.ts";

const starts = Number(process.argv[2] ?? 10);
const roots = [resolve("."), ...process.argv.slice(3).map((folder) => resolve(folder))];
const folder = mkdtempSync(join(tmpdir(), "signet-start-"));
const postgres = await startPostgres([]);
try {
  const results = roots.map(() => ({ wallMs: [] as number[], cpuMs: [] as number[] }));
  // One database each, because a version cannot start on a database with unknown migrations.
  for (const number of roots.keys()) await postgres.run(`create database start_${number}`);
  for (let count = -1; count < starts; count++) {
    for (const [number, root] of roots.entries()) {
      const server = await startServer(await freePort(), [join(root, "bin/signet.js"), "serve"], {
        DATABASE_URL: postgres.urlOf(`start_${number}`),
        MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
        PUBLIC_URL: "http://localhost:8080",
        DATA_DIR: join(folder, String(number)),
        LOG_LEVEL: "error",
      });
      const cpuMs = server.cpuSeconds() * 1_000;
      await server.stop();
      // The first start creates the tables and the compile cache.
      if (count < 0) continue;
      results[number]?.wallMs.push(server.startMs);
      results[number]?.cpuMs.push(cpuMs);
    }
  }
  for (const [number, { wallMs, cpuMs }] of results.entries()) {
    console.log(`${roots[number]}: ${median(wallMs).toFixed(0)} ms, of CPU ${median(cpuMs).toFixed(0)} ms`);
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
