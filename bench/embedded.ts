import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/support/postgres.ts";
import type { Figure } from "./figure.ts";
import { runLoad, startServer } from "./processes.ts";

const CALLS = 10_000;

/** The service with its embedded database: imports, and the memory of both, which share a process. */
export async function measureEmbedded(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "signet-bench-"));
  const server = await startServer(await freePort(), ["bin/signet.js", "serve"], { DATA_DIR: folder });
  const token = readFileSync(join(folder, "admin.token"), "utf8").trim();
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
  const mib = (bytes: number) => bytes / 2 ** 20;
  return [
    { name: "embedded database: ImportHumanUser (hash), 32 in flight", value: CALLS / load.seconds, unit: "calls/s" },
    { name: "embedded database: ImportHumanUser (hash), CPU per call", value: cpu, unit: "µs" },
    { name: "embedded database: memory at rest", value: mib(atRest), unit: "MiB", rule: "at most", bound: 400 },
    {
      name: "embedded database: memory after 10,000 imports",
      value: mib(after),
      unit: "MiB",
      rule: "at most",
      bound: 500,
    },
  ];
}
