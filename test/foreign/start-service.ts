import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.ts";

export interface ForeignService {
  /** Such as `127.0.0.1:8080`. */
  readonly address: string;
  /** The administrator's. */
  readonly token: string;
  stop(): Promise<void>;
}

/** Starts a service with an embedded database in a process of its own. */
export async function startService(dataDir: string): Promise<ForeignService> {
  const port = await freePort();
  const child = spawn(process.execPath, ["bin/signet.js", "serve"], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: "warn" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  const deadline = performance.now() + 300_000;
  while (!(await isReady(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error("the service did not start");
    }
    await new Promise((done) => setTimeout(done, 100));
  }
  return {
    address: `127.0.0.1:${port}`,
    token: readFileSync(join(dataDir, "admin.token"), "utf8").trim(),
    stop,
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}
