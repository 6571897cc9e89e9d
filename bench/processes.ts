import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { LoadPlan, LoadResult } from "./load.ts";

/** A server in a separate process. */
export interface ServerProcess {
  readonly port: number;
  /** Milliseconds from its start to its first response. */
  readonly startMs: number;
  /** CPU seconds used, in user and kernel mode, by all threads and children. */
  cpuSeconds(): number;
  /** Resident memory in bytes. */
  memoryBytes(): number;
  stop(): Promise<void>;
}

/** Starts a server, with Node unless another program is named, and waits until it accepts connections. */
export async function startServer(
  port: number,
  args: string[],
  environment: Record<string, string> = {},
  program = process.execPath,
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, PORT: String(port), ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    if (errors.length < 10_000) errors += chunk;
  });
  await waitForResponse(child, port, () => errors);
  const startMs = performance.now() - startedAt;
  return {
    port,
    startMs,
    cpuSeconds: () => readTreeSeconds(child.pid ?? 0),
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

/** CPU seconds of a process and all its children, including ended ones. */
export function readTreeSeconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  const own = readTimes(pid);
  return own.self + own.ended + children.reduce((sum, child) => sum + readChildSeconds(Number(child)), 0);
}

/** A child may end before its file is read; its parent includes its time from then on. */
export function readChildSeconds(pid: number): number {
  try {
    return readTimes(pid).self;
  } catch {
    return 0;
  }
}

/** From the operating system's accounting: fields 14 to 17 of /proc/<pid>/stat, in hundredths of a second. */
function readTimes(pid: number): { readonly self: number; readonly ended: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").map(Number) ?? [];
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { self: (user + system) / 100, ended: (childUser + childSystem) / 100 };
}

async function waitForResponse(child: ChildProcess, port: number, errors: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${errors()}`);
    try {
      await fetch(`http://127.0.0.1:${port}/readyz`);
      return;
    } catch (error) {
      // An HTTP/2-only server responds to HTTP/1.1 with something that is not HTTP/1.1.
      if (error instanceof Error && !/ECONNREFUSED/.test(String((error.cause as Error | undefined)?.message))) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
