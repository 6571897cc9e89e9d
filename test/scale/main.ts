/**
 * `npm run test:scale [scenario …]`: runs Signet with the databases of `docs/scale.md`, and prints what it measured. Exits
 * with 1 if a scenario fails, or cannot run because a program is missing.
 */
import { runFailover } from "./failover.ts";
import { hasHaProxy } from "./haproxy.ts";
import type { Scenario } from "./scenario.ts";

const HAPROXY = "haproxy (Debian: apt-get install haproxy)";

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  failover: {
    title: "The primary is killed under load, and its synchronous standby is promoted",
    missing: () => (hasHaProxy() ? [] : [HAPROXY]),
    run: runFailover,
  },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SCENARIOS);
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
