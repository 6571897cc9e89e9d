import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "../support/until.ts";

interface ServerProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly options?: Pick<SpawnOptions, "cwd" | "env">;
  /** Where it responds once it is ready. */
  readonly url: string;
}

/** Starts a program that listens on a port, and ends it after `use`. Its standard output is dropped. */
export async function whileRunning(
  { command, args, options, url }: ServerProgram,
  use: () => Promise<void>,
): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  try {
    await until(`${command} responds at ${url}`, async () => {
      if (child.exitCode !== null) throw new Error(`${[command, ...args].join(" ")} has ended`);
      return await fetch(url, { redirect: "manual" }).catch(() => undefined);
    });
    await use();
  } finally {
    child.kill();
    await ended;
  }
}
