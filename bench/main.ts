/**
 * Compares Signet with its alternatives. Goals are ratios of figures that were measured in the same run.
 *
 * `--quick` runs fewer and shorter rounds, `--million` also imports a million users. Writes
 * `bench/results-<kind>.json`, and the tables and the chart of `docs/performance.md`.
 */
import { parseArgs } from "node:util";
import { freePort } from "../test/support/postgres.ts";
import type { Figure } from "./figure.ts";
import { measureHashing, measureTail } from "./hashing.ts";
import type { LoadPlan } from "./load.ts";
import { measureMillion } from "./million.ts";
import { runLoad, type ServerProcess, startServer } from "./processes.ts";
import { writeReport } from "./report.ts";
import { median, type Rounds } from "./rounds.ts";
import { createSetting, type Setting } from "./setting.ts";

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" }, million: { type: "boolean" } } });
const rounds: Rounds = flags.quick ? { count: 2, calls: 3_000, hashes: 4 } : { count: 5, calls: 15_000, hashes: 12 };
const USERS = 20_000;
const IN_FLIGHT = 32;
const CONNECTIONS = 4;

interface Run {
  readonly perSecond: number;
  /** Server CPU time per call, in microseconds. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

const figures: Figure[] = [];
let serial = 1_000_000;
let callsMade = 0;

await measureTransports();
const setting = await createSetting(USERS);
try {
  await measureOperations(setting);
  figures.push(...(await measureHashing(setting, rounds, takeSerial)));
  figures.push(...(await measureTail(setting, takeSerial)));
  if (flags.million) writeReport(await measureMillion(setting, takeSerial), "million");
} finally {
  await setting.stop();
}
writeReport(figures, flags.quick ? "quick" : "full");

/** Measures only the transports, with an empty handler. */
async function measureTransports(): Promise<void> {
  const servers: Record<string, ServerProcess> = {};
  for (const kind of ["fast", "grpc-js", "connect"]) {
    servers[kind] = await startServer(await freePort(), ["bench/noop-server.ts", kind]);
  }
  const plan = { tokens: ["none"], operation: "phone", form: "grpc", users: USERS } as const;
  const runs = await compare(servers, () => ({ ...plan, firstNumber: takeSerial(100_000) }));
  for (const server of Object.values(servers)) await server.stop();
  const [fast, grpcJs, connect] = [runs.fast ?? [], runs["grpc-js"] ?? [], runs.connect ?? []];
  report("CPU per gRPC call, empty handler: Signet", "µs", fast, "cpu");
  report("CPU per gRPC call, empty handler: @grpc/grpc-js", "µs", grpcJs, "cpu");
  report("CPU per gRPC call, empty handler: Connect's adapter", "µs", connect, "cpu");
  ratio("empty handler, CPU: Signet / @grpc/grpc-js", of(fast, "cpu") / of(grpcJs, "cpu"), "at most", 0.9);
  ratio("empty handler, CPU: Signet / Connect's adapter", of(fast, "cpu") / of(connect, "cpu"), "at most", 0.25);
}

async function measureOperations(setting: Setting): Promise<void> {
  const signet = await setting.startSignet();
  const servers = {
    signet,
    "32 tokens": signet,
    rest: signet,
    "grpc-js": await setting.startGrpcJs(),
    stock: await setting.startStock(),
  };
  const { token, tokens } = setting;
  const before = signet.memoryBytes();

  const changesBefore = await setting.countPhoneChanges();
  const phone = await compare(servers, (name) => ({
    tokens: name === "32 tokens" ? tokens : [token],
    operation: "phone",
    form: name === "rest" ? "rest" : "grpc",
    users: USERS,
    firstNumber: takeSerial(100_000),
  }));
  const changes = (await setting.countPhoneChanges()) - changesBefore;
  if (changes !== callsMade) throw new Error(`${callsMade} calls were acknowledged, but ${changes} changes are stored`);
  const barePhone = await runBare(setting, "phone");

  const usersBefore = await setting.countUsers();
  const imports = await compare({ signet, "grpc-js": servers["grpc-js"] }, () => ({
    tokens: [token],
    operation: "import",
    form: "grpc",
    users: USERS,
    firstNumber: takeSerial(rounds.calls),
  }));
  const imported = (await setting.countUsers()) - usersBefore;
  if (imported !== callsMade)
    throw new Error(`${callsMade} imports were acknowledged, but ${imported} users are stored`);
  const bareImport = await runBare(setting, "import");

  report("UpdateHumanPhone over gRPC", "calls/s", phone.signet ?? [], "perSecond");
  report("UpdateHumanPhone over gRPC, CPU per call", "µs", phone.signet ?? [], "cpu");
  report("UpdateHumanPhone over gRPC, p50", "ms", phone.signet ?? [], "p50");
  report("UpdateHumanPhone over gRPC, p99", "ms", phone.signet ?? [], "p99");
  report(
    "UpdateHumanPhone over gRPC, a token for each call in flight",
    "calls/s",
    phone["32 tokens"] ?? [],
    "perSecond",
  );
  report("UpdateHumanPhone over gRPC, a token for each call in flight, CPU", "µs", phone["32 tokens"] ?? [], "cpu");
  report("UpdateHumanPhone over REST", "calls/s", phone.rest ?? [], "perSecond");
  report("UpdateHumanPhone over REST, CPU per call", "µs", phone.rest ?? [], "cpu");
  report("hand-written @grpc/grpc-js server, same statements", "calls/s", phone["grpc-js"] ?? [], "perSecond");
  report("hand-written @grpc/grpc-js server, CPU per call", "µs", phone["grpc-js"] ?? [], "cpu");
  report("Signet's operations on Connect's adapter", "calls/s", phone.stock ?? [], "perSecond");
  report("Signet's operations on Connect's adapter, CPU per call", "µs", phone.stock ?? [], "cpu");
  figures.push({ name: `UpdateHumanPhone, ${barePhone.name}`, value: barePhone.perSecond, unit: "calls/s" });
  report("ImportHumanUser (hash) over gRPC", "calls/s", imports.signet ?? [], "perSecond");
  report("ImportHumanUser (hash) over gRPC, CPU per call", "µs", imports.signet ?? [], "cpu");
  figures.push({ name: `ImportHumanUser, ${bareImport.name}`, value: bareImport.perSecond, unit: "calls/s" });
  figures.push({ name: "memory of the server before", value: before / 2 ** 20, unit: "MiB" });
  figures.push({ name: "memory of the server after", value: signet.memoryBytes() / 2 ** 20, unit: "MiB" });

  const own = phone.signet ?? [];
  ratio(
    "UpdateHumanPhone, CPU: Signet / hand-written grpc-js",
    of(own, "cpu") / of(phone["grpc-js"] ?? [], "cpu"),
    "at most",
    1.1,
  );
  ratio(
    "UpdateHumanPhone, calls/s: Signet / hand-written grpc-js",
    of(own, "perSecond") / of(phone["grpc-js"] ?? [], "perSecond"),
    "at least",
    0.95,
  );
  ratio(
    "UpdateHumanPhone, CPU: Signet / on Connect's adapter",
    of(own, "cpu") / of(phone.stock ?? [], "cpu"),
    "at most",
    0.55,
  );
  ratio(
    `UpdateHumanPhone, calls/s: Signet / ${barePhone.name}`,
    of(own, "perSecond") / barePhone.perSecond,
    "at least",
    0.35,
  );
  ratio(
    `ImportHumanUser (hash), calls/s: Signet / ${bareImport.name}`,
    of(imports.signet ?? [], "perSecond") / bareImport.perSecond,
    "at least",
    0.35,
  );
  ratio(
    "UpdateHumanPhone, calls/s: REST / gRPC",
    of(phone.rest ?? [], "perSecond") / of(own, "perSecond"),
    "at least",
    0.95,
  );
  for (const server of new Set(Object.values(servers))) await server.stop();

  const again = await setting.startSignet();
  figures.push({
    name: "start to first answer, PostgreSQL, migrated",
    value: again.startMs,
    unit: "ms",
    rule: "at most",
    bound: 1_000,
  });
  await again.stop();
}

/** Runs rounds of load on each server in turn, so that other activity of the machine affects all of them equally. */
async function compare<Name extends string>(
  servers: Record<Name, ServerProcess>,
  toPlan: (name: Name) => Omit<LoadPlan, "port" | "connections" | "inFlight" | "calls">,
): Promise<Record<Name, Run[]>> {
  const runs = {} as Record<Name, Run[]>;
  callsMade = 0;
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds.count; round++) {
    for (const [name, server] of Object.entries(servers) as [Name, ServerProcess][]) {
      const plan = {
        ...toPlan(name),
        port: server.port,
        connections: CONNECTIONS,
        inFlight: IN_FLIGHT,
        calls: rounds.calls,
      };
      const cpuBefore = server.cpuSeconds();
      const { seconds, p50, p99 } = await runLoad(plan);
      callsMade += plan.calls;
      const cpu = ((server.cpuSeconds() - cpuBefore) / plan.calls) * 1e6;
      if (round > 0) runs[name] = [...(runs[name] ?? []), { perSecond: plan.calls / seconds, cpu, p50, p99 }];
    }
  }
  return runs;
}

async function runBare(setting: Setting, operation: "phone" | "import"): Promise<{ name: string; perSecond: number }> {
  const results = [];
  for (let round = 0; round < rounds.count; round++)
    results.push(await setting.runBare(operation, flags.quick ? 3 : 6));
  const by = results[0]?.by ?? "pgbench";
  return { name: `${by}, same statements, 32 clients`, perSecond: median(results.map(({ perSecond }) => perSecond)) };
}

function takeSerial(count: number): number {
  serial += count;
  return serial - count;
}

function of(runs: readonly Run[], key: keyof Run): number {
  return median(runs.map((run) => run[key]));
}

function report(name: string, unit: string, runs: readonly Run[], key: keyof Run): void {
  figures.push({ name, unit, value: of(runs, key), all: runs.map((run) => run[key]) });
}

function ratio(name: string, value: number, rule: "at most" | "at least", bound: number): void {
  figures.push({ name, value, unit: "×", rule, bound });
}
