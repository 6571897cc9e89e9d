import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Figure } from "./figure.ts";
import { runLoad } from "./processes.ts";
import { median, type Rounds, toLatencyFigures } from "./rounds.ts";
import type { Setting } from "./setting.ts";

const THREADS = availableParallelism();
const PASSWORD = "correct horse battery staple";

/** Compares imports with a plaintext password to bcryptjs alone in the same number of threads. */
export async function measureHashing(
  setting: Setting,
  { count, hashes }: Rounds,
  takeSerial: (count: number) => number,
): Promise<Figure[]> {
  const calls = hashes * THREADS;
  const signet = await setting.startSignet();
  const alone: number[] = [];
  const imports: number[] = [];
  for (let round = 0; round <= count; round++) {
    const bare = await hashAlone(calls / THREADS);
    const plan = {
      port: signet.port,
      tokens: [setting.token],
      connections: 4,
      inFlight: 32,
      users: 1,
      password: PASSWORD,
    };
    const load = await runLoad({ ...plan, operation: "import", form: "grpc", calls, firstNumber: takeSerial(calls) });
    if (round === 0) continue;
    alone.push(bare);
    imports.push(calls / load.seconds);
  }
  await signet.stop();
  return [
    { name: "ImportHumanUser with a password, cost 12", value: median(imports), unit: "calls/s", all: imports },
    { name: `bcryptjs alone, cost 12, ${THREADS} threads`, value: median(alone), unit: "hashes/s", all: alone },
    {
      name: "hashes per second: Signet / bcryptjs alone",
      value: median(imports) / median(alone),
      unit: "×",
      rule: "at least",
      bound: 0.9,
    },
  ];
}

/** Measures phone changes at a fixed rate while all threads hash passwords. */
export async function measureTail(
  setting: Setting,
  { count }: Rounds,
  takeSerial: (count: number) => number,
): Promise<Figure[]> {
  const signet = await setting.startSignet();
  const plan = { port: signet.port, tokens: [setting.token], connections: 4, form: "grpc" } as const;
  const change = { ...plan, operation: "phone", inFlight: 32, users: 20_000 } as const;
  await runLoad({ ...change, calls: 6_000, firstNumber: takeSerial(100_000) });
  const hashes = 24 * THREADS;
  const p50: number[] = [];
  const p99: number[] = [];
  for (let round = 0; round < count; round++) {
    const hashing = runLoad({
      ...plan,
      operation: "import",
      inFlight: 8 * THREADS,
      calls: hashes,
      users: 1,
      firstNumber: takeSerial(hashes),
      password: PASSWORD,
    });
    const tail = await runLoad({ ...change, calls: 2_400, firstNumber: takeSerial(100_000), rate: 300 });
    await hashing;
    p50.push(tail.p50);
    p99.push(tail.p99);
  }
  await signet.stop();
  return toLatencyFigures("UpdateHumanPhone at 300/s while passwords are hashed", { p50, p99 }, 20);
}

/** Returns the hashes per second of bcryptjs in otherwise idle threads. */
async function hashAlone(perThread: number): Promise<number> {
  const source = `
    const { parentPort } = require("node:worker_threads");
    const bcrypt = require("bcryptjs");
    bcrypt.hashSync("warm up", 4);
    parentPort.postMessage("ready");
    parentPort.once("message", () => {
      for (let n = 0; n < ${perThread}; n++) bcrypt.hashSync("${PASSWORD}", 12);
      parentPort.postMessage("done");
      process.exit();
    });`;
  const workers = Array.from({ length: THREADS }, () => new Worker(source, { eval: true }));
  const next = (worker: Worker) => new Promise((resolve) => worker.once("message", resolve));
  await Promise.all(workers.map(next));
  const startedAt = performance.now();
  await Promise.all(
    workers.map((worker) => {
      const done = next(worker);
      worker.postMessage("go");
      return done;
    }),
  );
  return (perThread * THREADS * 1_000) / (performance.now() - startedAt);
}
