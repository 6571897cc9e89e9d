import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { AttackPlan, Counts } from "./attack.ts";

export interface RunningAttacker {
  readonly pid: number;
  /** The attacker's counts after it has ended; empty if it had to be killed. */
  readonly ended: Promise<Counts>;
}

const ATTACKER = fileURLToPath(new URL("./attacker.ts", import.meta.url));
/** How much longer than planned an attacker may run. */
const MARGIN_MS = 5_000;

/** Runs an attack in a separate process. */
export function runAttacker(plan: AttackPlan): RunningAttacker {
  const child = spawn(process.execPath, [ATTACKER, JSON.stringify(plan)], { stdio: ["ignore", "pipe", "inherit"] });
  const killer = setTimeout(() => child.kill("SIGKILL"), plan.seconds * 1_000 + MARGIN_MS);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const ended = new Promise<Counts>((resolve, reject) => {
    child.once("error", reject).once("close", () => {
      clearTimeout(killer);
      resolve(output === "" ? {} : JSON.parse(output));
    });
  });
  return { pid: child.pid ?? 0, ended };
}
