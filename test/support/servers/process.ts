import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Address } from "../../../src/database/connection.ts";
import { embeddedAddress } from "../../../src/database/embedded.ts";
import { type DatabaseKind, environment } from "../databases/database.ts";
import { createEmptyDatabase, type EmptyDatabase } from "../databases/empty-database.ts";
import { LONGEST_MS, until } from "../until.ts";
import { runHere } from "./run-here.ts";

/** The exit of a process, and everything it printed. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TestProcess {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<Ended>;
  /** Sends a signal, and resolves once the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** `signet serve`, once it listens. */
export interface TestServer extends TestProcess {
  /** For example `http://localhost:8080`, as the process printed it. */
  readonly origin: string;
}

type Environment = Readonly<Record<string, string>>;

/** A separate database and data folder: `variables` is the environment of every process that uses them. */
export interface Installation {
  readonly variables: Record<string, string>;
  readonly dataDir: string;
  readonly tokenFile: string;
  readonly address: Address;
}

/** Runs Signet in child processes in a temporary folder, with a clean environment. */
export interface Processes {
  /** The temporary folder in which all processes start; removed by `close`. */
  readonly root: string;
  /** Creates a data folder with an embedded database that has empty tables, which saves seconds; returns its path. */
  dataDir(name: string): string;
  /** Creates a PostgreSQL database without tables, which `close` drops. */
  createDatabase(): Promise<EmptyDatabase>;
  /** Creates a data folder and a database with empty tables, which `close` drops. */
  createInstallation(name: string, kind?: DatabaseKind): Promise<Installation>;
  /** Starts `signet` without waiting for it. The default PORT is any free one. */
  spawn(args: readonly string[], variables?: Environment): TestProcess;
  /** Runs `signet` until it ends. */
  run(
    args: readonly string[],
    variables?: Environment,
    options?: { mayPrintToken?: boolean; input?: string },
  ): Promise<Ended>;
  /**
   * Like `run`, but in this process, which saves the CPU time of starting one. For commands that exit on their own and
   * do not start an embedded database; a running server's may be used. DATA_DIR is in the temporary folder by default.
   */
  runHere(
    args: readonly string[],
    variables?: Environment,
    options?: { mayPrintToken?: boolean; input?: string },
  ): Promise<Ended>;
  /** Starts `signet serve` and waits until it listens. Rejects if it exits before then. */
  serve(variables?: Environment, options?: readonly string[]): Promise<TestServer>;
  /** Registers a text that no process may print. Every token is already registered. */
  secret(text: string): string;
  /** Kills running processes, removes the folder and the databases, and rejects if a process printed a secret. */
  close(): Promise<void>;
}

const SIGNET = fileURLToPath(new URL("../../../bin/signet.js", import.meta.url));
/** The baseline compiler for WebAssembly: the optimizing one doubles the CPU time of a command on the embedded database. */
const FLAGS = ["--liftoff-only"];
const TOKEN = /signet_pat_[0-9A-Za-z]{43}/;

/** @param signet The program; by default, that of this version. */
export function createProcesses(signet = SIGNET): Processes {
  const root = mkdtempSync(join(tmpdir(), "signet-process-"));
  const processes: TestProcess[] = [];
  /** The output, to be searched for secrets. */
  const printed: { readonly args: readonly string[]; readonly texts: () => string[] }[] = [];
  const secrets = new Set<string>();
  const databases: EmptyDatabase[] = [];

  async function createDatabase(template?: string): Promise<EmptyDatabase> {
    const database = await createEmptyDatabase(template);
    databases.push(database);
    return database;
  }

  function createDataDir(name: string): string {
    const folder = join(root, name);
    mkdirSync(folder, { mode: 0o700 });
    cpSync(join(environment("TEST_EMBEDDED_TEMPLATE"), "db"), join(folder, "db"), { recursive: true });
    return folder;
  }

  function spawnSignet(
    args: readonly string[],
    variables: Environment = {},
    mayPrintToken = false,
    input?: string,
  ): TestProcess {
    const child = spawn(process.execPath, [...FLAGS, signet, ...args], {
      cwd: root,
      env: { ...baseEnvironment(), ...variables },
      stdio: ["pipe", "pipe", "pipe"],
    });
    // A process that does not read its input may exit before it is written.
    child.stdin.on("error", () => {}).end(input);
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", reject).once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    });
    const spawned: TestProcess = {
      child,
      stdout: () => stdout,
      stderr: () => stderr,
      ended,
      stop(signal = "SIGTERM") {
        child.kill(signal);
        return ended;
      },
    };
    processes.push(spawned);
    printed.push({ args, texts: () => (mayPrintToken ? [stderr] : [stderr, stdout]) });
    return spawned;
  }

  return {
    root,
    dataDir: createDataDir,
    createDatabase: () => createDatabase(),
    async createInstallation(name, kind = "postgres") {
      if (kind === "embedded") {
        const dataDir = createDataDir(name);
        return {
          ...filesIn(dataDir),
          variables: { DATA_DIR: dataDir },
          address: { socketDir: embeddedAddress(dataDir) },
        };
      }
      const { url } = await createDatabase(environment("TEST_POSTGRES_TEMPLATE"));
      const files = filesIn(join(root, name));
      return { ...files, variables: { ...onPostgres(url), DATA_DIR: files.dataDir }, address: { url } };
    },
    spawn: spawnSignet,
    async run(args, variables, { mayPrintToken = false, input } = {}) {
      const spawned = spawnSignet(args, variables, mayPrintToken, input);
      return await within(LONGEST_MS, `signet ${args.join(" ")}`, spawned.ended);
    },
    async runHere(args, variables, { mayPrintToken = false, input = "" } = {}) {
      const environment = { ...baseEnvironment(), DATA_DIR: join(root, "data"), ...variables };
      const ended = { ...(await runHere(args, environment, root, input)), signal: null };
      printed.push({ args, texts: () => (mayPrintToken ? [ended.stderr] : [ended.stderr, ended.stdout]) });
      return ended;
    },
    async serve(variables, options = []) {
      const spawned = spawnSignet(["serve", ...options], variables);
      await until("the server listens", () => {
        if (spawned.child.exitCode !== null) throw new Error(`the server ended: ${spawned.stderr()}`);
        return /^ {4}-d .*\n/m.test(spawned.stdout());
      });
      const [, origin = ""] = /^ {2}API +(\S+)$/m.exec(spawned.stdout()) ?? [];
      return { ...spawned, origin };
    },
    secret(text) {
      secrets.add(text);
      return text;
    },
    async close() {
      for (const running of processes) running.child.kill("SIGKILL");
      await Promise.all(processes.map((running) => running.ended));
      rmSync(root, { recursive: true, force: true });
      for (const database of databases) await database.drop();
      for (const { args, texts } of printed) {
        const isSecret = (text: string) => TOKEN.test(text) || [...secrets].some((secret) => text.includes(secret));
        if (texts().some(isSecret)) throw new Error(`a command printed a secret: ${args.join(" ")}`);
      }
    },
  };
}

/** The environment of all commands: only PATH from the environment of the tests. */
function baseEnvironment() {
  return { PATH: process.env.PATH, PORT: "0", BCRYPT_COST: "4", HASH_THREADS: "1" };
}

/** Variables of a process whose clock is ahead of that of the machine, or behind it. */
export function withClockAhead(ms: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${new URL("clock-ahead.ts", import.meta.url).href}`,
    CLOCK_AHEAD_MS: String(ms),
  };
}

/** The variables that a service on this PostgreSQL database requires. */
export function onPostgres(url: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    PUBLIC_URL: "http://localhost:8080",
    MASTER_KEY: Buffer.alloc(32, 5).toString("base64"),
  };
}

function filesIn(dataDir: string): { dataDir: string; tokenFile: string } {
  return { dataDir, tokenFile: join(dataDir, "admin.token") };
}

/** The token that a server wrote for its user `admin`. */
export function readToken(file: string): string {
  return readFileSync(file, "utf8").trim();
}

async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
