import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { request as requestTls } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../support/free-port.ts";
import { killGroup } from "../support/kill-group.ts";
import type { Setup } from "./catalogue.ts";
import { memoryBytes, processTree } from "./process-tree.ts";

/** `signet serve` with its default limits, in a separate process. */
export interface Target {
  readonly port: number;
  readonly pid: number;
  readonly isTls: boolean;
  /** PEM of the certificate, over TLS. */
  readonly certificate: Buffer | undefined;
  /** All server processes; empty once the server has ended. */
  pids(): number[];
  memoryBytes(): number;
  /** The number of bytes in the server's log. */
  logBytes(): number;
  /** The first lines of the server's log. */
  logHead(): string;
  /** Whether /healthz responds on several new connections, on each within `timeoutMs`. */
  isHealthy(timeoutMs?: number): Promise<boolean>;
  /** Stops the server with SIGTERM, and with SIGKILL if it has not exited within a few seconds. */
  stop(): Promise<void>;
}

/** A database with two organizations, used by one server after another. */
export interface TargetPlace {
  start(setup: Setup): Promise<Target>;
  /** Creates two organizations and their tokens. The server must have run once. */
  createTokens(): Promise<{ caller: string; attacker: string }>;
  /** Runs `signet` with these arguments, and returns its output. The server must have run once. */
  signet(...args: string[]): Promise<string>;
  close(): void;
}

const SIGNET = fileURLToPath(new URL("../../bin/signet.js", import.meta.url));
const START_MS = 300_000;
const STOP_MS = 4_000;
/** Enough to reach each of two worker processes. */
const PROBES = 4;
/** A server that uses more memory than this is killed. */
const MAX_BYTES = 4e9;

/** @param environment Additional environment variables for the server. */
export function createTargetPlace(databaseUrl: string, environment: Record<string, string> = {}): TargetPlace {
  const folder = mkdtempSync(join(tmpdir(), "signet-attack-"));
  const variables = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, "data"),
    PUBLIC_URL: "http://localhost:8080",
    MASTER_KEY: Buffer.alloc(32, 5).toString("base64"),
    ...environment,
  };
  let starts = 0;

  async function signet(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [SIGNET, ...args], { cwd: folder, env: variables });
    return stdout.trim();
  }

  return {
    async start(setup) {
      const port = await freePort();
      const tls = setup === "tls" ? createCertificate(folder) : undefined;
      const logFile = join(folder, `server-${++starts}.log`);
      const log = openSync(logFile, "w");
      const child = spawn(process.execPath, [SIGNET, "serve", ...(setup === "workers" ? ["--workers", "2"] : [])], {
        cwd: folder,
        env: { ...variables, ...tls, PORT: String(port) },
        stdio: ["ignore", "ignore", log],
        // A separate process group, which can be killed as a whole.
        detached: true,
      });
      closeSync(log);
      const certificate = tls && readFileSync(tls.TLS_CERT_FILE);
      const target = toTarget(child, { port, certificate, logFile });
      try {
        await untilReady(target);
      } catch (error) {
        await target.stop();
        throw error;
      }
      return target;
    },
    async createTokens() {
      const create = async (name: string) => {
        const orgId = await signet("org", "create", `${name} of ${folder}`);
        return signet("token", "create", name, "--org", orgId, "--role", "ORG_OWNER");
      };
      return { caller: await create("caller"), attacker: await create("attacker") };
    },
    signet,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function toTarget(
  child: ChildProcess,
  { port, certificate, logFile }: { port: number; certificate: Buffer | undefined; logFile: string },
): Target {
  const pid = child.pid ?? 0;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const pids = () => (hasEnded() ? [] : processTree(pid));
  const watchdog = startWatchdog(pid);
  // Protects the machine from a server whose memory grows without bound.
  const guard = setInterval(() => {
    if (memoryBytes(pids()) > MAX_BYTES) killGroup(pid);
  }, 500);
  child.once("exit", () => clearInterval(guard));
  return {
    port,
    pid,
    isTls: certificate !== undefined,
    certificate,
    pids,
    memoryBytes: () => memoryBytes(pids()),
    logBytes: () => statSync(logFile).size,
    logHead: () => readFileSync(logFile, "utf8").slice(0, 2_000),
    async isHealthy(timeoutMs = 2_000) {
      const probes = Array.from({ length: PROBES }, () => probe(port, certificate, timeoutMs));
      return (await Promise.all(probes)).every((status) => status === 200);
    },
    async stop() {
      if (!hasEnded()) child.kill("SIGTERM");
      const timer = setTimeout(() => killGroup(pid), STOP_MS);
      await ended;
      clearTimeout(timer);
      // Workers that hang outlive their primary.
      killGroup(pid);
      watchdog.kill();
    },
  };
}

/**
 * Kills the server however this process ends, because a hung server would run forever. The shell reads from a pipe that
 * closes with this process.
 */
function startWatchdog(pid: number): ChildProcess {
  const script = `read _; kill -9 -${pid}`;
  return spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
}

async function untilReady(target: Target): Promise<void> {
  const longest = performance.now() + START_MS;
  while (!(await target.isHealthy())) {
    if (target.pids().length === 0) throw new Error(`the server ended: ${target.logHead()}`);
    if (performance.now() > longest) {
      throw new Error(`the server does not answer after ${START_MS} ms: ${target.logHead()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** @returns The HTTP status of /healthz on a new connection; undefined if there is no response in time. */
function probe(port: number, ca: Buffer | undefined, timeoutMs: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port, path: "/healthz", agent: false, servername: "localhost" };
    const sent = ca === undefined ? request(options) : requestTls({ ...options, ca });
    const timer = setTimeout(() => sent.destroy(), timeoutMs);
    const done = (status?: number) => {
      clearTimeout(timer);
      resolve(status);
    };
    sent.on("error", () => done());
    sent.on("close", () => done());
    sent.on("response", (response) => {
      response.resume();
      done(response.statusCode);
    });
    sent.end();
  });
}

/** A self-signed certificate for localhost by openssl, valid for a day. */
function createCertificate(folder: string): { TLS_CERT_FILE: string; TLS_KEY_FILE: string } {
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", "-days", "1", ...curve, ...name, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  return { TLS_CERT_FILE: cert, TLS_KEY_FILE: key };
}
