import { execFileSync, spawn } from "node:child_process";
import { freePort } from "../support/free-port.ts";

export interface HaProxy {
  readonly port: number;
  /** Its log, which names each server that fails its check: `Server primary/b is DOWN`. */
  log(): string;
  stop(): Promise<void>;
}

const CONFIG = "deploy/postgresql/haproxy.cfg";
/** Debian installs it in a folder that is only in root's PATH. */
const PATH = `${process.env.PATH}:/usr/sbin`;

export function hasHaProxy(): boolean {
  try {
    execFileSync("haproxy", ["-v"], { stdio: "ignore", env: { ...process.env, PATH } });
    return true;
  } catch {
    return false;
  }
}

/** Throws if HAProxy rejects the example configuration, or warns about it. */
export function checkConfiguration(): void {
  const env = {
    ...process.env,
    PATH,
    POSTGRES_BIND: "127.0.0.1:5432",
    POSTGRES_A: "10.0.0.11:5432",
    POSTGRES_B: "10.0.0.12:5432",
  };
  execFileSync("haproxy", ["-c", "-q", "-dW", "-f", CONFIG], { env, stdio: "pipe" });
}

/** Starts HAProxy with the example configuration in front of two servers, given by host and port. */
export async function startHaProxy(a: string, b: string): Promise<HaProxy> {
  const port = await freePort();
  const env = { ...process.env, PATH, POSTGRES_BIND: `127.0.0.1:${port}`, POSTGRES_A: a, POSTGRES_B: b };
  const child = spawn("haproxy", ["-db", "-f", CONFIG], { env, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    port,
    log: () => log,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
