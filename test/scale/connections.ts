import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createAuthority, giveToPostgres } from "../support/databases/authority.ts";
import { startPostgres } from "../support/databases/postgres.ts";
import { createProcesses, onPostgres, readToken } from "../support/servers/process.ts";
import { checkWrites } from "./check-writes.ts";
import { startLoad } from "./load.ts";
import { startPgBouncer } from "./pgbouncer.ts";
import type { Figures } from "./scenario.ts";

const IN_FLIGHT = 32;
const WARM_UP_MS = 3_000;
const MEASURED_MS = 10_000;

/** A way to the database: its URL, and variables of Signet. */
interface Way {
  readonly url: string;
  readonly variables?: Record<string, string>;
  readonly close?: () => Promise<void>;
}

/**
 * Runs the same load over every kind of connection: direct, with TLS, and through PgBouncer in both modes.
 *
 * @throws Error if a call fails, is lost, or is stored in part.
 */
export async function compareConnections(): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "signet-connections-"));
  chmodSync(folder, 0o755);
  const authority = createAuthority(folder);
  const { cert, key } = authority.issue("localhost");
  giveToPostgres(key);
  const settings = { ssl: "on", ssl_cert_file: cert, ssl_key_file: key, max_connections: "200" };
  const postgres = await startPostgres(Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]));
  const toTls = (url: string) =>
    `${url.replace("127.0.0.1", "localhost")}?sslmode=verify-full&sslrootcert=${authority.cert}`;
  const ways: Record<string, (url: string) => Promise<Way>> = {
    direct: async (url) => ({ url }),
    "TLS, sslmode=verify-full": async (url) => ({ url: toTls(url) }),
    "PgBouncer, session mode": async (url) => {
      const bouncer = await startPgBouncer(url, { mode: "session" });
      return { url: bouncer.url, close: bouncer.stop };
    },
    "PgBouncer, transaction mode, DATABASE_PREPARED=false": async (url) => {
      const bouncer = await startPgBouncer(url, { mode: "transaction", size: 8 });
      return { url: bouncer.url, variables: { DATABASE_PREPARED: "false" }, close: bouncer.stop };
    },
    "direct, DATABASE_PREPARED=false": async (url) => ({ url, variables: { DATABASE_PREPARED: "false" } }),
  };
  const figures: Record<string, string> = {};
  try {
    for (const [index, [name, open]] of Object.entries(ways).entries()) {
      await postgres.run(`create database way_${index}`);
      const direct = postgres.urlOf(`way_${index}`);
      const way = await open(direct);
      figures[name] = `${await measure(way, direct)} calls/s`;
      await way.close?.();
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

/** Calls per second. */
async function measure({ url, variables = {} }: Way, direct: string): Promise<number> {
  const processes = createProcesses();
  try {
    const dataDir = join(processes.root, "data");
    const server = await processes.serve({ ...onPostgres(url), ...variables, DATA_DIR: dataDir });
    const token = readToken(join(dataDir, "admin.token"));
    const load = await startLoad({ origins: [server.origin], token, inFlight: IN_FLIGHT });
    await delay(WARM_UP_MS);
    const [from, startedAt] = [load.acknowledged.length, performance.now()];
    await delay(MEASURED_MS);
    const perSecond = ((load.acknowledged.length - from) * 1_000) / (performance.now() - startedAt);
    await load.stop();
    const { lost, partial } = await checkWrites(direct, load.acknowledged);
    if (load.failures.size > 0 || lost.length > 0 || partial.length > 0) {
      throw new Error(`failed: ${[...load.failures]}; lost: ${lost.length}; stored in part: ${partial.length}`);
    }
    return Math.round(perSecond);
  } finally {
    await processes.close();
  }
}
