import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isPrimary, runStatement } from "../support/databases/postgres.ts";
import type { Owner } from "../support/databases/postgres-programs.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

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
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    // "Fast shutdown" (PostgreSQL documentation, "Shutting Down the Server").
    child.kill("SIGINT");
    await ended;
  };
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}: ${log}`);
    return isPrimary(url);
  };
  try {
    await until("PostgreSQL accepts writes", isReady, 300_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

/** Creates the user and the database of README.md, and returns their URL. */
export async function createDatabase(server: Server): Promise<string> {
  await runStatement(server.url, "create role signet login password 'secret'");
  await runStatement(server.url, "create database signet owner signet");
  return urlOf(server, "signet");
}

/** The URL of that database for a user. */
export function urlOf({ url }: Server, username: string): string {
  return Object.assign(new URL(url), { username, password: "secret", pathname: "/signet" }).href;
}
