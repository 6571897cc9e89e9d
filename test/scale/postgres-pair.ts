import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { runStatement } from "../support/databases/postgres.ts";
import { findOwner, findPrograms } from "../support/databases/postgres-programs.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

/** A PostgreSQL server of a pair. */
export interface Node {
  readonly url: string;
  readonly address: string;
  /**
   * Signals all of its processes at the same time: SIGKILL acts like a power failure, SIGSTOP makes the server
   * unresponsive.
   */
  kill(signal: "SIGKILL" | "SIGSTOP"): void;
  stop(): Promise<void>;
}

export interface Pair {
  readonly primary: Node;
  readonly standby: Node & { promote(): Promise<void> };
  /** Stops both, and removes their files. */
  stop(): Promise<void>;
}

/** The primary commits only what the standby has written to disk. */
const PRIMARY = { synchronous_standby_names: "standby", synchronous_commit: "on", wal_keep_size: "1GB" };

/** Starts a primary and a synchronous standby; see `findPrograms`. Needs Linux. */
export async function startPair(): Promise<Pair> {
  const programs = findPrograms().folder;
  const owner = findOwner();
  const folder = mkdtempSync(join(tmpdir(), "signet-pair-"));
  chmodSync(folder, 0o755);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const as = { ...owner, cwd: folder, stdio: "ignore" } as const;
  const [first, second] = [join(folder, "a"), join(folder, "b")];
  const options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(programs, "initdb"), ["-D", first, ...options], as);
  // Before its first start, the files of a server are a copy to follow from.
  execFileSync("cp", ["-R", first, second], as);
  const ports = [await freePort(), await freePort()] as const;
  const start = (data: string, port: number, settings: Record<string, string>) => {
    const all = {
      port: String(port),
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      max_connections: "200",
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    return startNode(spawn(join(programs, "postgres"), ["-D", data, ...flags], as), port);
  };
  const primary = await start(first, ports[0], PRIMARY);
  execFileSync("touch", [join(second, "standby.signal")], as);
  const conninfo = `host=127.0.0.1 port=${ports[0]} user=postgres application_name=standby`;
  const standby = await start(second, ports[1], { primary_conninfo: conninfo });
  await runStatement(primary.url, "set synchronous_commit = local; create role haproxy login");
  await until("the standby is synchronous", () => isSynchronous(primary.url));
  return {
    primary,
    standby: { ...standby, promote: () => runStatement(standby.url, "select pg_promote(true, 30)") },
    async stop() {
      await Promise.all([primary.stop(), standby.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(child: ChildProcess, port: number): Promise<Node> {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const kill = (signal: NodeJS.Signals) => killTree(child.pid ?? 0, signal);
  // After an error in the start of the pair, nothing else ends it.
  process.once("exit", () => child.exitCode === null && child.signalCode === null && kill("SIGKILL"));
  await until("PostgreSQL answers", async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
    return isReachable(url);
  });
  return {
    url,
    address: `127.0.0.1:${port}`,
    kill,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) kill("SIGKILL");
      await ended;
    },
  };
}

async function isSynchronous(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query("select from pg_stat_replication where sync_state = 'sync'");
  await client.end();
  return rows.length > 0;
}

function killTree(pid: number, signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  for (const one of [pid, ...children]) {
    try {
      if (one > 0) process.kill(one, signal);
    } catch {
      // It has just ended.
    }
  }
}

/** Whether the server accepts a statement. A standby does. */
function isReachable(url: string): Promise<boolean> {
  return runStatement(url, "select 1").then(
    () => true,
    () => false,
  );
}
