/**
 * Measures what metrics and traces cost: the CPU of the server per call with them, as a ratio to the CPU without. The servers
 * take turns in each round, and the ratio is the median of the ratios of the rounds, because the load of the machine changes
 * between rounds. A second server without telemetry shows how exact that is. Metrics are scraped every 15 s.
 *
 * `--quick` for fewer and shorter rounds. Writes `bench/results-telemetry.json` or `bench/results-telemetry-quick.json`; the
 * full run also writes the table of `docs/performance.md`.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { freePort } from "../test/support/postgres.ts";
import { compare, type Run } from "./compare.ts";
import type { Figure } from "./figure.ts";
import type { LoadPlan } from "./load.ts";
import { type ServerProcess, startServer } from "./processes.ts";
import { writeReport } from "./report.ts";
import { median, type Rounds } from "./rounds.ts";
import { createSetting } from "./setting.ts";

const { values: flags } = parseArgs({ options: { quick: { type: "boolean" } } });
const rounds: Rounds = { count: flags.quick ? 3 : 7, calls: flags.quick ? 1_000 : 10_000, hashes: 0, bareSeconds: 0 };
/** Receives traces, and reads nothing of them. */
const receiver = createServer((request, response) => {
  request.resume().once("end", () => response.writeHead(200).end());
}).listen(0, "127.0.0.1");
await once(receiver, "listening");
const USERS = flags.quick ? 1_000 : 20_000;
const SCRAPE_MS = 15_000;

interface Variant {
  /** The environment of a server; `metricsPort` is free. */
  readonly toEnvironment: (metricsPort: number) => Record<string, string>;
  /** The most CPU per call, as a ratio to a server without it. */
  readonly most?: number;
}

/** What is compared with a server that has none of it. */
const VARIANTS: Readonly<Record<string, Variant>> = {
  "off again": { toEnvironment: () => ({}) },
  metrics: { toEnvironment: (metricsPort) => ({ METRICS_PORT: String(metricsPort) }), most: 1.03 },
  "traces, 1 % sampled": { toEnvironment: () => tracing("0.01"), most: 1.05 },
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
figures.push(...(await measure("empty handler", startNoop, { tokens: ["none"], operation: "phone" })));
const setting = await createSetting(USERS);
try {
  const start = (environment: Record<string, string>) => setting.startSignet(environment);
  const tokens = [setting.token];
  figures.push(...(await measure("UpdateHumanPhone", start, { tokens, operation: "phone" })));
  figures.push(...(await measure("ImportHumanUser (hash)", start, { tokens, operation: "import" })));
} finally {
  await setting.stop();
  receiver.close();
  receiver.closeAllConnections();
}
writeReport(figures, flags.quick ? "telemetry-quick" : "telemetry");

async function startNoop(environment: Record<string, string>): Promise<ServerProcess> {
  return await startServer(await freePort(), ["bench/noop-server.ts", "fast"], environment);
}

async function measure(
  name: string,
  start: (environment: Record<string, string>) => Promise<ServerProcess>,
  plan: Pick<LoadPlan, "tokens" | "operation">,
): Promise<Figure[]> {
  const servers: Record<string, ServerProcess> = { off: await start({}) };
  const scrapers: NodeJS.Timeout[] = [];
  for (const [variant, { toEnvironment }] of Object.entries(VARIANTS)) {
    const metricsPort = await freePort();
    const environment = toEnvironment(metricsPort);
    servers[variant] = await start(environment);
    if ("METRICS_PORT" in environment) scrapers.push(setInterval(() => void scrape(metricsPort), SCRAPE_MS));
  }
  const toPlan = () => ({ ...plan, form: "grpc" as const, users: USERS, firstNumber: takeSerial(100_000) });
  const { runs } = await compare(servers, { rounds, inFlight: 32, toPlan });
  for (const scraper of scrapers) clearInterval(scraper);
  for (const server of Object.values(servers)) await server.stop();
  const off = runs.off ?? [];
  return [
    toCpu(`${name}, CPU per call: off`, off),
    ...Object.entries(VARIANTS).flatMap(([variant, { most }]) => {
      const on = runs[variant] ?? [];
      const ratios = on.map(({ cpu }, round) => cpu / (off[round]?.cpu ?? Number.NaN));
      const ratio: Figure = { name: `${name}, CPU: ${variant} / off`, unit: "×", value: median(ratios), all: ratios };
      const goal = most === undefined ? {} : { rule: "at most" as const, bound: most };
      return [toCpu(`${name}, CPU per call: ${variant}`, on), { ...ratio, ...goal }];
    }),
  ];
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
