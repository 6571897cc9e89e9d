import { compare, of, type Run, toFigure, toRatio } from "./compare.ts";
import type { Figure } from "./figure.ts";
import type { LoadPlan } from "./load.ts";
import { median, type Rounds } from "./rounds.ts";
import type { Setting } from "./setting.ts";

type Operation = "phone" | "import";
const NAMES = { phone: "UpdateHumanPhone", import: "ImportHumanUser (hash)" } as const;

/** Signet's goals: compared with the hand-written server with the same statements, and with the minimal one. */
const GOALS = {
  32: { perSecond: 1.3, cpu: 0.8, databaseCpu: 0.5, minimal: 1 },
  128: { perSecond: 1.8, cpu: 0.6, databaseCpu: 0.3, minimal: 1.4 },
} as const;

export interface Measure {
  readonly setting: Setting;
  readonly rounds: Rounds;
  /** Numbers for this many calls, not used by any other calls. */
  readonly takeSerial: (count: number) => number;
}

/** Both operations, with concurrent calls and one at a time, compared with hand-written servers. */
export async function measureOperations(measure: Measure): Promise<Record<Operation | "memory", Figure[]>> {
  const { setting } = measure;
  const signet = await setting.startSignet();
  const servers = { signet, "grpc-js": await setting.startGrpcJs(), minimal: await setting.startMinimal() };
  const before = signet.memoryBytes();
  const figures: Record<Operation, Figure[]> = { phone: [], import: [] };
  for (const operation of ["phone", "import"] as const) {
    const perSecond = await runBare(measure, operation);
    for (const inFlight of [32, 128] as const) {
      const runs = await compareOn(measure, servers, operation, inFlight);
      figures[operation].push(...toFigures(`${NAMES[operation]}, ${inFlight} in flight`, runs, GOALS[inFlight]));
      if (inFlight !== 32) continue;
      figures[operation].push(...toBareFigures(NAMES[operation], of(runs.signet, "perSecond"), perSecond));
    }
    const { signet: runs } = await compareOn(measure, { signet }, operation, 1);
    figures[operation].push(toFigure(`${NAMES[operation]}, one call at a time, p50`, "ms", runs, "p50"));
  }
  const memory = [
    { name: "memory of the server before these calls", value: before / 2 ** 20, unit: "MiB" },
    { name: "memory of the server after these calls", value: signet.memoryBytes() / 2 ** 20, unit: "MiB" },
  ];
  for (const server of Object.values(servers)) await server.stop();
  return { ...figures, memory };
}

/** UpdateHumanPhone over other wires, with other tokens and on Connect's adapter. */
export async function measureProtocols(measure: Measure): Promise<Figure[]> {
  const { setting } = measure;
  const grpc = await setting.startSignet();
  const servers = { grpc, tokens: grpc, rest: grpc, stock: await setting.startStock() };
  const runs = await compareOn(measure, servers, "phone", 32);
  const names = {
    grpc: "UpdateHumanPhone over gRPC",
    tokens: "UpdateHumanPhone over gRPC, a token for each call in flight",
    rest: "UpdateHumanPhone over REST",
    stock: "Signet's operations on Connect's adapter",
  } as const;
  const figures = (Object.keys(names) as (keyof typeof names)[]).flatMap((name) => [
    toFigure(names[name], "calls/s", runs[name], "perSecond"),
    toFigure(`${names[name]}, CPU per call`, "µs", runs[name], "cpu"),
  ]);
  const toStock = of(runs.grpc, "cpu") / of(runs.stock, "cpu");
  const toGrpc = of(runs.rest, "perSecond") / of(runs.grpc, "perSecond");
  figures.push(toRatio("UpdateHumanPhone, CPU: Signet / on Connect's adapter", toStock, "at most", 0.55));
  figures.push(toRatio("UpdateHumanPhone, calls/s: REST / gRPC", toGrpc, "at least", 0.95));
  for (const server of [grpc, servers.stock]) await server.stop();
  return figures;
}

/** One call at a time and 32, compared with an earlier version: the latencies must not have grown. */
export async function measureBefore(measure: Measure, folder: string): Promise<Figure[]> {
  const { setting } = measure;
  const signet = await setting.startSignet();
  const { server: before, token } = await setting.startBefore(folder);
  const figures: Figure[] = [];
  for (const operation of ["phone", "import"] as const) {
    const ratio = (runs: Record<"signet" | "before", readonly Run[]>, key: keyof Run) =>
      of(runs.signet, key) / of(runs.before, key);
    const name = NAMES[operation];
    const alone = await compareOn(measure, { signet, before }, operation, 1, token);
    const many = await compareOn(measure, { signet, before }, operation, 32, token);
    figures.push(
      toFigure(`${name}, one call at a time, p50: earlier`, "ms", alone.before, "p50"),
      toFigure(`${name}, 32 in flight, p99: earlier`, "ms", many.before, "p99"),
      toFigure(`${name}, 32 in flight: earlier`, "calls/s", many.before, "perSecond"),
      toRatio(`${name}, one call at a time, p50: now / earlier`, ratio(alone, "p50"), "at most", 1.05),
      toRatio(`${name}, 32 in flight, p99: now / earlier`, ratio(many, "p99"), "at most", 1),
    );
  }
  for (const server of [signet, before]) await server.stop();
  return figures;
}

/** The database over TCP and over its Unix socket. */
export async function measureSocket(measure: Measure): Promise<Figure[]> {
  const { setting } = measure;
  const tcp = await setting.startSignet();
  const socket = await setting.startSignet({ DATABASE_URL: setting.socketUrl });
  const figures: Figure[] = [];
  for (const inFlight of [1, 32] as const) {
    const runs = await compareOn(measure, { tcp, socket }, "phone", inFlight);
    const name = `UpdateHumanPhone, ${inFlight} in flight: database over its Unix socket / over TCP`;
    for (const [what, key] of [
      ["calls/s", "perSecond"],
      ["CPU", "cpu"],
      ["CPU of PostgreSQL", "databaseCpu"],
      ["p50", "p50"],
    ] as const) {
      figures.push({ name: `${name}, ${what}`, value: of(runs.socket, key) / of(runs.tcp, key), unit: "×" });
    }
  }
  for (const server of [tcp, socket]) await server.stop();
  return figures;
}

/** Compares servers, and counts what they have stored: every acknowledged call must be there. */
async function compareOn<Name extends string>(
  { setting, rounds, takeSerial }: Measure,
  servers: Parameters<typeof compare<Name>>[0],
  operation: Operation,
  inFlight: number,
  tokenOfBefore?: string,
): Promise<Record<Name, readonly Run[]>> {
  const stored = () => (operation === "phone" ? setting.countPhoneChanges() : setting.countUsers());
  const toPlan = (name: Name): Omit<LoadPlan, "port" | "connections" | "inFlight" | "calls"> => ({
    tokens: name === "tokens" ? setting.tokens : [name === "before" ? (tokenOfBefore ?? "") : setting.token],
    operation,
    form: name === "rest" ? "rest" : "grpc",
    users: setting.users,
    firstNumber: takeSerial(100_000),
  });
  const before = await stored();
  const { databaseSeconds } = setting;
  const { runs, calls } = await compare(servers, { rounds, inFlight, toPlan, databaseSeconds });
  const storing = Object.keys(servers).filter((name) => name !== "minimal" && name !== "before").length;
  const [expected, added] = [calls * storing, (await stored()) - before];
  if (added !== expected) throw new Error(`${expected} calls were acknowledged, and ${added} are stored`);
  return runs;
}

type OperationRuns = Record<"signet" | "grpc-js" | "minimal", readonly Run[]>;

function toFigures(name: string, runs: OperationRuns, goals: (typeof GOALS)[32 | 128]): Figure[] {
  const { signet, "grpc-js": byHand, minimal } = runs;
  const ratio = (key: keyof Run, other: readonly Run[]) => of(signet, key) / of(other, key);
  const servers = [
    ["Signet", signet],
    ["hand-written, same statements", byHand],
    ["minimal hand-written", minimal],
  ] as const;
  return [
    ...servers.flatMap(([server, its]) => [
      toFigure(`${name}: ${server}`, "calls/s", its, "perSecond"),
      toFigure(`${name}: ${server}, CPU per call`, "µs", its, "cpu"),
      toFigure(`${name}: ${server}, CPU of PostgreSQL per call`, "µs", its, "databaseCpu"),
    ]),
    toFigure(`${name}: Signet, p50`, "ms", signet, "p50"),
    toFigure(`${name}: Signet, p99`, "ms", signet, "p99"),
    toRatio(`${name}, calls/s: Signet / hand-written`, ratio("perSecond", byHand), "at least", goals.perSecond),
    toRatio(`${name}, CPU: Signet / hand-written`, ratio("cpu", byHand), "at most", goals.cpu),
    toRatio(
      `${name}, CPU of PostgreSQL: Signet / hand-written`,
      ratio("databaseCpu", byHand),
      "at most",
      goals.databaseCpu,
    ),
    toRatio(`${name}, calls/s: Signet / minimal`, ratio("perSecond", minimal), "at least", goals.minimal),
  ];
}

async function runBare({ setting, rounds }: Measure, operation: Operation) {
  const results: { by: string; perSecond: number }[] = [];
  for (let round = 0; round < rounds.count; round++) results.push(await setting.runBare(operation, rounds.bareSeconds));
  return { by: results[0]?.by ?? "", perSecond: median(results.map(({ perSecond }) => perSecond)) };
}

function toBareFigures(name: string, perSecond: number, bare: { by: string; perSecond: number }): Figure[] {
  const by = `${bare.by}, same statements, 32 clients`;
  return [
    { name: `${name}, ${by}`, value: bare.perSecond, unit: "calls/s" },
    toRatio(`${name}, calls/s: Signet / ${by}`, perSecond / bare.perSecond, "at least", 0.7),
  ];
}
