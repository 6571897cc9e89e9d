/**
 * Measures Signet and its alternatives. Every figure is a ratio to something measured in the same run.
 *
 * `--quick` takes fewer and shorter rounds, `--million` imports a million users as well, and `--before <folder>`
 * compares with the version in that folder, whose packages must be installed (a Git worktree). Writes
 * `bench/results-<kind>.json`, and the tables and the chart of `bench/README.md`.
 */
import { parseArgs } from "node:util";
import { findPrograms } from "../test/support/databases/postgres-programs.ts";
import { freePort } from "../test/support/free-port.ts";
import { compare, of, toFigure, toRatio } from "./compare.ts";
import { takeSerial } from "./data.ts";
import { measureEmbedded } from "./embedded.ts";
import type { Figure } from "./figure.ts";
import { measureForms } from "./forms.ts";
import { measureHashing, measureTail } from "./hashing.ts";
import { measureMillion } from "./million.ts";
import { type Measure, measureBefore, measureOperations, measureProtocols, measureSocket } from "./operations.ts";
import { startServer } from "./processes.ts";
import { writeReport } from "./report.ts";
import { FULL, QUICK } from "./rounds.ts";
import { createSetting, type Setting } from "./setting.ts";

const { values: flags } = parseArgs({
  options: { quick: { type: "boolean" }, million: { type: "boolean" }, before: { type: "string" } },
});
const rounds = flags.quick ? QUICK : FULL;
const { before } = flags;
const USERS = 20_000;
console.log(findPrograms().name);

const transport = await measureTransport();
const { now: embedded, comparison } = await measureEmbedded(before);
const setting = await createSetting(USERS);
try {
  const measure = { setting, rounds, takeSerial };
  const tables = {
    "empty-handler": transport,
    ...(await measureOperations(measure)),
    ...(before !== undefined && {
      earlier: [...(await inOwnSetting((own) => measureBefore(own, before))), ...comparison],
    }),
    forms: await inOwnSetting(measureForms),
    protocols: await measureProtocols(measure),
    socket: await measureSocket(measure),
    start: [await measureStart(setting)],
    hashing: [
      ...(await measureHashing(setting, rounds, takeSerial)),
      ...(await measureTail(setting, rounds, takeSerial)),
    ],
    embedded,
  };
  if (flags.million) writeReport({ million: await measureMillion(setting, takeSerial) }, "million");
  writeReport(tables, flags.quick ? "quick" : "full");
} finally {
  await setting.stop();
}

/** Only the transports, with a handler that does nothing. */
async function measureTransport(): Promise<Figure[]> {
  const start = async (kind: string) => startServer(await freePort(), ["bench/noop-server.ts", kind]);
  const servers = { fast: await start("fast"), grpcJs: await start("grpc-js"), connect: await start("connect") };
  const plan = { tokens: ["none"], operation: "phone", form: "grpc", users: USERS } as const;
  const toPlan = () => ({ ...plan, firstNumber: takeSerial(100_000) });
  const { runs } = await compare(servers, { rounds, inFlight: 32, toPlan });
  for (const server of Object.values(servers)) await server.stop();
  const { fast, grpcJs, connect } = runs;
  return [
    toFigure("CPU per gRPC call, empty handler: Signet", "µs", fast, "cpu"),
    toFigure("CPU per gRPC call, empty handler: @grpc/grpc-js", "µs", grpcJs, "cpu"),
    toFigure("CPU per gRPC call, empty handler: Connect's adapter", "µs", connect, "cpu"),
    toRatio("empty handler, CPU: Signet / @grpc/grpc-js", of(fast, "cpu") / of(grpcJs, "cpu"), "at most", 0.9),
    toRatio("empty handler, CPU: Signet / Connect's adapter", of(fast, "cpu") / of(connect, "cpu"), "at most", 0.25),
  ];
}

/** With a new database, so that no other calls have filled it. */
async function inOwnSetting(run: (measure: Measure) => Promise<Figure[]>): Promise<Figure[]> {
  const own = await createSetting(USERS);
  try {
    return await run({ setting: own, rounds, takeSerial });
  } finally {
    await own.stop();
  }
}

async function measureStart(setting: Setting): Promise<Figure> {
  const { startMs, stop } = await setting.startSignet();
  await stop();
  return {
    name: "start to first response, PostgreSQL, migrated",
    value: startMs,
    unit: "ms",
    rule: "at most",
    bound: 1_000,
  };
}
