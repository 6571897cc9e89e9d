import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import pg from "pg";
import { freePort, runStatement } from "../support/postgres.ts";
import { until } from "../support/process.ts";
import type { Owner } from "./documented-commands.ts";

const SERVER = ["initdb", "postgres"];
const CLIENT = ["pg_dump", "pg_restore", "pg_basebackup", "psql"];
const DEBIAN = "/usr/lib/postgresql";

/** The folder with the programs of one PostgreSQL version, or the names of the missing programs. */
export function findPrograms(): { readonly folder: string } | { readonly missing: readonly string[] } {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...versions.map((version) => join(DEBIAN, version, "bin")),
  ];
  const lacks = (folder: string) => [...SERVER, ...CLIENT].filter((name) => !existsSync(join(folder, name)));
  const folder = folders.find((each) => lacks(each).length === 0);
  if (folder !== undefined) return { folder };
  return { missing: folders.map(lacks).sort((a, b) => a.length - b.length)[0] ?? [...SERVER, ...CLIENT] };
}

/** PostgreSQL refuses to run as root. */
export function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+)/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  if (uid === undefined) throw new Error("there is no user postgres: create it, or run this as another user than root");
  return { uid: Number(uid), gid: Number(gid) };
}

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Creates an empty cluster. */
export function initialize(programs: string, data: string, as: Owner | undefined): void {
  const options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(programs, "initdb"), ["-D", data, ...options], { ...as, cwd: "/", stdio: "ignore" });
}

/** Starts PostgreSQL with a data folder, and waits until it accepts writes. */
export async function startServer(
  programs: string,
  data: string,
  as: Owner | undefined,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = await freePort();
  const all = { port: String(port), listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(programs, "postgres"), ["-D", data, ...flags], { ...as, cwd: data });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log = (log + text).slice(-10_000);
  });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await until(
    "PostgreSQL accepts writes",
    async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}: ${log}`);
      return isPrimary(url);
    },
    300_000,
  );
  return { url, stop: () => stopServer(child) };
}

async function isPrimary(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("select pg_is_in_recovery() as recovers");
    return rows[0]?.recovers === false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  // "Fast shutdown" (PostgreSQL documentation, "Shutting Down the Server").
  child.kill("SIGINT");
  await ended;
}

/** Creates a database on a server, and returns its URL. */
export async function createDatabase({ url }: Server, name: string): Promise<string> {
  await runStatement(url, `create database ${name}`);
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}
