import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../test/support/free-port.ts";
import { type LoadPlan, runPlan } from "./load.ts";

/** The idle server after a tenth of the calls. Memory in MB (1,000,000 bytes). */
export interface Tenth {
  readonly calls: number;
  /** In this tenth. If the machine is busy with something else, the service rejects some. */
  readonly failed: number;
  /** Resident set, all threads. */
  readonly rss: number;
  /** Live objects of the main thread. */
  readonly heap: number;
  /** Buffers outside of the heap. */
  readonly external: number;
  readonly callsPerSecond: number;
  /** For the slowest kind of call, in milliseconds. */
  readonly p99: number;
}

export interface SoakOptions {
  /** Of `signet serve`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Called once the server listens. Returns the tokens of the calls. */
  readonly prepare: () => Promise<readonly string[]>;
  /** The database users for the calls; see `toUserId`. */
  readonly users: number;
  readonly calls: number;
  /** How long the server idles before its memory is read. */
  readonly restMs: number;
  readonly onTenth?: (tenth: Tenth) => void;
}

/** Kinds of calls, and the share of each. */
const MIX = [
  { operation: "get", form: "grpc", part: 0.4 },
  { operation: "phone", form: "grpc", part: 0.4 },
  { operation: "phone", form: "rest", part: 0.2 },
] as const;

const SIGNET = fileURLToPath(new URL("../bin/signet.js", import.meta.url));
const PROBE = new URL("./soak-probe.ts", import.meta.url).href;

/**
 * Calls a server in ten equal parts, and reads its memory after each part. Throws if 1 % of the calls fail, or if the
 * server exits.
 */
export async function soak(options: SoakOptions): Promise<Tenth[]> {
  const port = await freePort();
  const server = spawn(process.execPath, ["--expose-gc", `--import=${PROBE}`, SIGNET, "serve"], {
    env: { PATH: process.env.PATH, ...options.environment, PORT: String(port), LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(server, "exit").then(([code, signal]) => {
    throw new Error(`the server ended: ${signal ?? `exit code ${code}`}`);
  });
  ended.catch(() => {});
  try {
    // The service prints its address once it listens.
    await Promise.race([once(server.stdout as NodeJS.ReadableStream, "data"), ended]);
    let log = "";
    server.stdout?.on("data", (chunk) => {
      log = `${log}${chunk}`.slice(-2_000);
    });
    const tokens = await options.prepare();
    // While the service starts on a busy machine, it rejects some of the calls with tokens that it has not seen yet.
    await runPlan({
      port,
      tokens,
      ...MIX[0],
      users: options.users,
      connections: 1,
      inFlight: 1,
      calls: 1,
      firstNumber: 0,
    });
    const tenths: Tenth[] = [];
    for (let number = 0; number < 10; number += 1) {
      const load = await runTenth(options, { port, tokens, number }).catch((error) => {
        throw new Error(`${error.message}; the end of the log:\n${log}`);
      });
      await delay(options.restMs);
      const tenth = { ...load, ...(await Promise.race([readMemory(server), ended])) };
      tenths.push(tenth);
      options.onTenth?.(tenth);
    }
    return tenths;
  } finally {
    server.kill("SIGTERM");
    if (server.exitCode === null) await once(server, "exit");
  }
}

async function runTenth(
  { users, calls: all }: SoakOptions,
  { port, tokens, number }: { port: number; tokens: readonly string[]; number: number },
): Promise<Pick<Tenth, "calls" | "failed" | "callsPerSecond" | "p99">> {
  const size = Math.floor(all / 10);
  let [calls, failed, seconds, p99] = [0, 0, 0, 0];
  for (const { operation, form, part } of MIX) {
    const plan: LoadPlan = {
      ...{ port, tokens, operation, form, users, connections: 8, inFlight: 128, calls: Math.floor(size * part) },
      firstNumber: number * size + calls,
    };
    const result = await runPlan(plan);
    failed += result.failed;
    if (failed * 100 > size) throw new Error(`${failed} of ${size} calls failed: ${result.firstFailure}`);
    calls += plan.calls;
    seconds += result.seconds;
    p99 = Math.max(p99, result.p99);
  }
  return { calls: (number + 1) * calls, failed, callsPerSecond: Math.round(calls / seconds), p99: Math.round(p99) };
}

async function readMemory(server: ChildProcess): Promise<Pick<Tenth, "rss" | "heap" | "external">> {
  const answered = once(server, "message");
  server.send("memory");
  const [{ rss, heapUsed, external }] = (await answered) as [NodeJS.MemoryUsage];
  return { rss: toMegabytes(rss), heap: toMegabytes(heapUsed), external: toMegabytes(external) };
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}
