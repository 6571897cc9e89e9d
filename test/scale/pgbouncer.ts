import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runStatement } from "../support/databases/postgres.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

export interface PgBouncer {
  /** The URL of the database through PgBouncer. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Debian installs it in a folder that is only in root's PATH. */
const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export function hasPgBouncer(): boolean {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore", env: ENVIRONMENT });
    return true;
  } catch {
    return false;
  }
}

/** Starts PgBouncer with its defaults in front of the server of a database. */
export async function startPgBouncer(
  databaseUrl: string,
  { mode, size = 20 }: { readonly mode: "session" | "transaction"; readonly size?: number },
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), "signet-pgbouncer-"));
  chmodSync(folder, 0o755);
  const server = new URL(databaseUrl);
  const port = await freePort();
  const target = `host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`;
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = ${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
`,
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", ["-q", ...user, file], { stdio: "ignore", env: ENVIRONMENT });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until("PgBouncer answers", async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
      return runStatement(url.href, "select 1").then(
        () => true,
        () => false,
      );
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: url.href, stop };
}
