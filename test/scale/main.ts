/**
 * `npm run test:scale -- [scenario …] [--from <ref>]`: runs Signet with the databases in `docs/scale.md`, and prints
 * the measurements. Exits with 1 if a scenario fails, or cannot run because a program is missing.
 *
 * `--from` is the version to update from: by default the last tag, or the last commit before the newest migration.
 */
import { parseArgs } from "node:util";
import { hasOpenssl } from "../support/databases/authority.ts";
import { startPostgres } from "../support/databases/postgres.ts";
import { compareConnections } from "./connections.ts";
import { checkOut, findEarlierRef } from "./earlier-version.ts";
import { runFailover } from "./failover.ts";
import { hasHaProxy } from "./haproxy.ts";
import { hasPgBouncer } from "./pgbouncer.ts";
import { updateRolling } from "./rolling-update.ts";
import type { Figures, Scenario } from "./scenario.ts";

const PGBOUNCER = "pgbouncer (Debian: apt-get install pgbouncer)";
const HAPROXY = "haproxy (Debian: apt-get install haproxy)";

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  failover: {
    title: "The primary is killed under load, and its synchronous standby is promoted",
    missing: missingForFailover,
    run: () => runFailover("SIGKILL"),
  },
  silence: {
    title:
      "The primary stops responding under load, with its connections open, and its synchronous standby is promoted",
    missing: missingForFailover,
    run: () => runFailover("SIGSTOP"),
  },
  connections: {
    title: "The same load over every kind of connection: 32 calls at a time to one process",
    missing: () => [...(hasPgBouncer() ? [] : [PGBOUNCER]), ...(hasOpenssl ? [] : ["openssl"])],
    run: compareConnections,
  },
  rolling: {
    title: "Processes of an earlier version are replaced under load, and the tables migrated",
    missing: () => (earlierRef === undefined ? ["an earlier version (git history, or --from <ref>)"] : []),
    run: runRolling,
  },
};

const { values, positionals } = parseArgs({ options: { from: { type: "string" } }, allowPositionals: true });
const earlierRef = values.from ?? findEarlierRef();
const names = positionals.length > 0 ? positionals : Object.keys(SCENARIOS);
for (const name of names) await runScenario(name);

async function runScenario(name: string): Promise<void> {
  const scenario = SCENARIOS[name];
  if (scenario === undefined)
    return fail(`there is no scenario ${name}: expected ${Object.keys(SCENARIOS).join(", ")}`);
  console.log(`\n${name}: ${scenario.title}`);
  const missing = scenario.missing();
  if (missing.length > 0) return fail(`  not run: ${missing.join(" and ")} is missing`);
  const startedAt = performance.now();
  try {
    for (const [figure, value] of Object.entries(await scenario.run())) console.log(`  ${figure}: ${value}`);
    console.log(`  passed after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  } catch (error) {
    fail(`  FAILED: ${error instanceof Error ? error.stack : error}`);
  }
}

function fail(text: string): void {
  console.error(text);
  process.exitCode = 1;
}

function missingForFailover(): string[] {
  return [...(process.platform === "linux" ? [] : ["Linux"]), ...(hasHaProxy() ? [] : [HAPROXY])];
}

async function runRolling(): Promise<Figures> {
  const earlier = checkOut(earlierRef ?? "", { install: true });
  if (earlier === undefined) throw new Error("the earlier version has no packages");
  const postgres = await startPostgres([]);
  try {
    return await updateRolling(earlier, postgres.urlOf("postgres"), 50);
  } finally {
    await postgres.stop();
    earlier.remove();
  }
}
