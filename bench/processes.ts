import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { LoadPlan, LoadResult } from "./load.ts";

/** A server in a separate process. */
export interface ServerProcess {
  readonly port: number;
  /** Milliseconds from the start to the first response. */
  readonly startMs: number;
  /** CPU seconds used so far, in user and kernel mode, by all threads. */
  cpuSeconds(): number;
  /** Resident set size in bytes. */
  memoryBytes(): number;
  stop(): Promise<void>;
}

/** Starts a server with Node, and waits until it accepts connections. */
export async function startServer(
  port: number,
  args: string[],
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, PORT: String(port), ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    if (errors.length < 10_000) errors += chunk;
  });
  await waitForAnswer(child, port, () => errors);
  const startMs = performance.now() - startedAt;
  return {
    port,
    startMs,
    cpuSeconds: () => readCpuSeconds(child.pid ?? 0),
    memoryBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) * 1_024,
    async stop() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Runs a load in a separate process. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const child = spawn(process.execPath, [new URL("./load.ts", import.meta.url).pathname, JSON.stringify(plan)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  const result = JSON.parse(output) as LoadResult;
  if (result.failed > 0) throw new Error(`${result.failed} of ${plan.calls} calls failed: ${result.firstFailure}`);
  return result;
}

/** Reads utime and stime, fields 14 and 15 of /proc/<pid>/stat, in hundredths of a second. */
function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function waitForAnswer(child: ChildProcess, port: number, errors: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server exited: ${errors()}`);
    try {
      await fetch(`http://127.0.0.1:${port}/readyz`);
      return;
    } catch (error) {
      // A server that supports only HTTP/2 sends a response that fetch cannot parse.
      if (error instanceof Error && !/ECONNREFUSED/.test(String((error.cause as Error | undefined)?.message))) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
