import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as sendRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environment } from "./database.ts";
import { runStatement } from "./postgres.ts";

/** How a process ended, and all that it said. */
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
  /** Such as `http://localhost:8080`, as the process printed it. */
  readonly origin: string;
}

type Environment = Readonly<Record<string, string>>;

/** Runs Signet in processes of its own, each in a folder of the test's own, and with nothing of this one's environment. */
export interface Processes {
  /** Temporary folder that all processes start in; removed at the end. */
  readonly root: string;
  /** Path of a data folder that holds an embedded database with its tables and nothing in them, which saves seconds. */
  dataDir(name: string): string;
  /** Starts `signet` and goes on. Without PORT among the variables it gets any free one. */
  spawn(args: readonly string[], variables?: Environment): TestProcess;
  /** Runs `signet` to its end. */
  run(args: readonly string[], variables?: Environment, options?: { mayPrintToken?: boolean }): Promise<Ended>;
  /** Starts `signet serve` and waits until it listens. Fails where it ends instead. */
  serve(variables?: Environment, options?: readonly string[]): Promise<TestServer>;
  /** Notes something that no process may have printed. Every token is noted already. */
  secret(text: string): string;
  /** Kills what still runs, removes the folder, and fails where a process printed a secret. */
  close(): Promise<void>;
}

const SIGNET = fileURLToPath(new URL("../../bin/signet.js", import.meta.url));
const LONGEST_MS = 60_000;
const TOKEN = /signet_pat_[0-9A-Za-z]{43}/;

export function createProcesses(): Processes {
  const root = mkdtempSync(join(tmpdir(), "signet-process-"));
  const processes: { readonly process: TestProcess; readonly mayPrintToken: boolean }[] = [];
  const secrets = new Set<string>();

  function spawnSignet(args: readonly string[], variables: Environment = {}, mayPrintToken = false): TestProcess {
    const env = { PATH: process.env.PATH, PORT: "0", BCRYPT_COST: "4", HASH_THREADS: "1", ...variables };
    const child = spawn(process.execPath, [SIGNET, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
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
    processes.push({ process: spawned, mayPrintToken });
    return spawned;
  }

  return {
    root,
    dataDir(name) {
      const folder = join(root, name);
      mkdirSync(folder, { mode: 0o700 });
      cpSync(join(environment("TEST_EMBEDDED_TEMPLATE"), "db"), join(folder, "db"), { recursive: true });
      return folder;
    },
    spawn: spawnSignet,
    async run(args, variables, { mayPrintToken = false } = {}) {
      const spawned = spawnSignet(args, variables, mayPrintToken);
      return await within(LONGEST_MS, `signet ${args.join(" ")}`, spawned.ended);
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
      for (const { process: running } of processes) running.child.kill("SIGKILL");
      await Promise.all(processes.map(({ process: running }) => running.ended));
      rmSync(root, { recursive: true, force: true });
      for (const { process: told, mayPrintToken } of processes) {
        const texts = [told.stderr(), mayPrintToken ? "" : told.stdout()];
        const hasSecret = texts.some(
          (text) => TOKEN.test(text) || [...secrets].some((secret) => text.includes(secret)),
        );
        if (hasSecret) throw new Error(`a process printed a secret: ${told.child.spawnargs.slice(2).join(" ")}`);
      }
    },
  };
}

/** The token that a server wrote for its user `admin`. */
export function readToken(file: string): string {
  return readFileSync(file, "utf8").trim();
}

/** An answer of REST; `body` is parsed where it is JSON. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what is in it
  readonly body: any;
}

/** Sends one request over a connection of its own. Rejects where there is no whole answer. */
export function send(
  origin: string,
  method: string,
  path: string,
  { token, body, headers = {} }: { token?: string; body?: object; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = sendRequest(new URL(path, origin), {
      method,
      agent: false,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    request.once("error", reject).once("response", (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (part) => {
          text += part;
        })
        .once("error", reject)
        .once("end", () => resolve({ status: response.statusCode ?? 0, body: parse(text) }));
    });
    request.end(body && JSON.stringify(body));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const IMPORT_PATH = "/management/v1/users/human/_import";

/** A human user to import, whose email is verified. */
export function human(userName: string): Record<string, unknown> {
  return {
    userName,
    profile: { firstName: "Ada", lastName: "Lovelace" },
    email: { email: "ada@example.com", isEmailVerified: true },
  };
}

/** Asks again and again until the answer is something true; fails once that has taken too long. */
export async function until<T>(what: string, ask: () => T | Promise<T>, longestMs = LONGEST_MS): Promise<T> {
  const deadline = performance.now() + longestMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${longestMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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

/** A database of PostgreSQL with nothing in it. */
export interface EmptyDatabase {
  readonly url: string;
  readonly name: string;
  /** Runs a statement in the server's own database. */
  outside(statement: string): Promise<void>;
  drop(): Promise<void>;
}

let count = 0;

export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const name = `signet_process_${process.pid}_${++count}`;
  const server = environment("TEST_POSTGRES_URL");
  await runStatement(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    outside: (statement) => runStatement(server, statement),
    drop: () => runStatement(server, `drop database if exists ${name} with (force)`),
  };
}
