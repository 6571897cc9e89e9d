import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/support/free-port.ts";
import { toRatio } from "./compare.ts";
import type { Figure } from "./figure.ts";
import { runLoad, startServer } from "./processes.ts";

const CALLS = 10_000;

interface Run {
  readonly perSecond: number;
  /** Microseconds per call, including the database. */
  readonly cpu: number;
  /** MiB. */
  readonly atRest: number;
  readonly after: number;
}

/**
 * The service with its embedded database: imports, and the memory of the process that both share.
 *
 * @param before The folder of an earlier version to compare with.
 */
export async function measureEmbedded(before?: string): Promise<{ now: Figure[]; comparison: Figure[] }> {
  const now = await run(".");
  const name = "embedded database: ImportHumanUser (hash)";
  const figures: Figure[] = [
    { name: `${name}, 32 in flight`, value: now.perSecond, unit: "calls/s" },
    { name: `${name}, CPU per call`, value: now.cpu, unit: "µs" },
    { name: "embedded database: memory at rest", value: now.atRest, unit: "MiB", rule: "at most", bound: 400 },
    {
      name: `embedded database: memory after ${CALLS.toLocaleString("en")} imports`,
      value: now.after,
      unit: "MiB",
      rule: "at most",
      bound: 500,
    },
  ];
  if (before === undefined) return { now: figures, comparison: [] };
  const then = await run(before);
  const comparison = [
    { name: `${name}, 32 in flight: earlier`, value: then.perSecond, unit: "calls/s" },
    { name: `${name}, CPU per call: earlier`, value: then.cpu, unit: "µs" },
    { name: "embedded database: memory at rest: earlier", value: then.atRest, unit: "MiB" },
    { name: "embedded database: memory after the imports: earlier", value: then.after, unit: "MiB" },
    toRatio(`${name}, calls/s: now / earlier`, now.perSecond / then.perSecond, "at least", 2),
  ];
  return { now: figures, comparison };
}

async function run(root: string): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "signet-bench-"));
  const server = await startServer(await freePort(), [join(root, "bin/signet.js"), "serve"], { DATA_DIR: folder });
  const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
  // V8 optimizes code in the background for a second after the start.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const atRest = server.memoryBytes();
  const cpuBefore = server.cpuSeconds();
  const load = await runLoad({
    port: server.port,
    tokens: [token],
    operation: "import",
    form: "grpc",
    connections: 4,
    inFlight: 32,
    calls: CALLS,
    users: 1,
    firstNumber: 0,
  });
  const cpu = ((server.cpuSeconds() - cpuBefore) / CALLS) * 1e6;
  const after = server.memoryBytes();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  return { perSecond: CALLS / load.seconds, cpu, atRest: atRest / 2 ** 20, after: after / 2 ** 20 };
}
