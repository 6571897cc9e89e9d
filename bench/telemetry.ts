/**
 * Measures the cost of metrics and traces: the share of the server's CPU time that a profile finds in their code, and
 * the ratio of the CPU per call with and without them. The servers alternate in each round, and the ratio is the median
 * over the rounds, because the machine's load changes between rounds. A second server without telemetry shows how
 * accurate this is. Metrics are scraped every 15 s.
 *
 * `--quick` for fewer and shorter rounds. Writes `bench/results-telemetry.json` or
 * `bench/results-telemetry-quick.json`; the full run also writes the table of `bench/README.md`.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { freePort } from "../test/support/free-port.ts";
import { compare, type Run, toRatio } from "./compare.ts";
import type { Figure } from "./figure.ts";
import type { LoadPlan } from "./load.ts";
import { runLoad, type ServerProcess, startServer } from "./processes.ts";
import { measureShare } from "./profile-share.ts";
import { writeReport } from "./report.ts";
import { median, type Rounds } from "./rounds.ts";
import { createSetting } from "./setting.ts";

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" } } });
const rounds: Rounds = { count: flags.quick ? 3 : 7, calls: flags.quick ? 1_000 : 10_000, hashes: 0, bareSeconds: 0 };
/** Receives traces without parsing them. */
const receiver = createServer((request, response) => {
  request.resume().once("end", () => response.writeHead(200).end());
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const USERS = flags.quick ? 1_000 : 20_000;
const SCRAPE_MS = 15_000;

interface Variant {
  /** The environment of a server; `metricsPort` is free. */
  readonly toEnvironment: (metricsPort: number) => Record<string, string>;
  /** Its modules, and the maximum CPU that they may take, in percent of the CPU without them. */
  readonly cost?: { readonly modules: RegExp; readonly most: number };
}

const METRICS = /src\/telemetry\/metrics|prom-client/;
const TRACES = /src\/telemetry\/(?!metrics)|src\/rpc\/call-span|@opentelemetry/;

/** The variants to compare with a server without telemetry. */
const VARIANTS: Readonly<Record<string, Variant>> = {
  "off again": { toEnvironment: () => ({}) },
  metrics: {
    toEnvironment: (metricsPort) => ({ METRICS_PORT: String(metricsPort) }),
    cost: { modules: METRICS, most: 3 },
  },
  "traces, 1 % sampled": { toEnvironment: () => tracing("0.01"), cost: { modules: TRACES, most: 5 } },
  "traces, all": { toEnvironment: () => tracing("1") },
};

function tracing(ratio: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: ratio,
  };
}

let serial = 1_000_000;
const figures: Figure[] = [];
const measure = async (operation: Operation) => {
  figures.push(...(await measureShares(operation)), ...(await measureRatios(operation)));
};
await measure({ what: "empty handler", start: startNoop, plan: { tokens: ["none"], operation: "phone" } });
const setting = await createSetting(USERS);
try {
  const start = (environment: Record<string, string>) => setting.startSignet(environment);
  const tokens = [setting.token];
  await measure({ what: "UpdateHumanPhone", start, plan: { tokens, operation: "phone" } });
  await measure({ what: "ImportHumanUser (hash)", start, plan: { tokens, operation: "import" } });
} finally {
  await setting.stop();
  receiver.close();
  receiver.closeAllConnections();
}
writeReport({ telemetry: figures }, flags.quick ? "telemetry-quick" : "telemetry");

async function startNoop(environment: Record<string, string>): Promise<ServerProcess> {
  return await startServer(await freePort(), ["bench/noop-server.ts", "fast"], environment);
}

/** What the servers do, and how they are started. */
interface Operation {
  readonly what: string;
  readonly start: (environment: Record<string, string>) => Promise<ServerProcess>;
  readonly plan: Pick<LoadPlan, "tokens" | "operation">;
}

async function measureShares(operation: Operation): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const { cost } = variant;
    if (cost === undefined) continue;
    const load = (calls: number) => (server: ServerProcess) =>
      runLoad({ ...toPlan(operation), port: server.port, connections: 4, inFlight: 32, calls });
    const share = await measureShare({
      start: (environment) => startVariant(operation, variant, environment),
      warmUp: load(rounds.calls * 2),
      load: load(rounds.calls * 4),
      modules: cost.modules,
    });
    const figure = toRatio(
      `${operation.what}, CPU in the code of ${name}`,
      (share / (1 - share)) * 100,
      "at most",
      cost.most,
    );
    figures.push({ ...figure, unit: "%" });
  }
  return figures;
}

async function measureRatios(operation: Operation): Promise<Figure[]> {
  const { what } = operation;
  const servers: Record<string, ServerProcess> = { off: await operation.start({}) };
  for (const [name, variant] of Object.entries(VARIANTS)) servers[name] = await startVariant(operation, variant);
  const { runs } = await compare(servers, { rounds, inFlight: 32, toPlan: () => toPlan(operation) });
  for (const server of Object.values(servers)) await server.stop();
  const off = runs.off ?? [];
  return [
    toCpu(`${what}, CPU per call: off`, off),
    ...Object.keys(VARIANTS).flatMap((variant) => {
      const on = runs[variant] ?? [];
      const ratios = on.map(({ cpu }, round) => cpu / (off[round]?.cpu ?? Number.NaN));
      const ratio: Figure = { name: `${what}, CPU: ${variant} / off`, unit: "×", value: median(ratios), all: ratios };
      return [toCpu(`${what}, CPU per call: ${variant}`, on), ratio];
    }),
  ];
}

async function startVariant(
  { start }: Operation,
  { toEnvironment }: Variant,
  more: Record<string, string> = {},
): Promise<ServerProcess> {
  const metricsPort = await freePort();
  const environment = toEnvironment(metricsPort);
  const server = await start({ ...environment, ...more });
  if (!("METRICS_PORT" in environment)) return server;
  const scraper = setInterval(() => void scrape(metricsPort), SCRAPE_MS);
  const stop = async () => {
    clearInterval(scraper);
    await server.stop();
  };
  return { ...server, stop };
}

function toPlan({ plan }: Operation) {
  return { ...plan, form: "grpc" as const, users: USERS, firstNumber: takeSerial(100_000) };
}

function toCpu(name: string, runs: readonly Run[]): Figure {
  const all = runs.map(({ cpu }) => cpu);
  return { name, unit: "µs", value: median(all), all };
}

async function scrape(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  await response.text();
}

function takeSerial(count: number): number {
  serial += count;
  return serial - count;
}
