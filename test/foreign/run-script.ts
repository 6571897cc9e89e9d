import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { killGroup } from "../support/kill-group.ts";

interface ScriptOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

interface ScriptResult {
  /** The exit code; null after the timeout. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script with bash, in a process group of its own, and then kills all processes of the group that are left. */
export async function runScript(script: string, { cwd, env, timeoutMs }: ScriptOptions): Promise<ScriptResult> {
  const child = spawn("bash", ["-euo", "pipefail", script], {
    ...{ cwd, env, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("bash could not be started");
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const timer = setTimeout(() => killGroup(pid), timeoutMs);
  // The group does not get the signals of the terminal.
  const stop = () => {
    killGroup(pid);
    process.exit(1);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const [status] = await once(child, "exit");
  clearTimeout(timer);
  process.off("SIGINT", stop).off("SIGTERM", stop);
  killGroup(pid);
  const [stdout, stderr] = await output;
  return { status, stdout, stderr };
}
