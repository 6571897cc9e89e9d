import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startPostgres } from "../test/support/databases/postgres.ts";
import { freePort } from "../test/support/free-port.ts";
import { type ServerProcess, startServer } from "./processes.ts";

/** A server with an instance of its own, and a connection to its database. */
export interface NewInstance {
  readonly server: ServerProcess;
  readonly port: number;
  /** The database. */
  readonly url: string;
  readonly client: pg.Client;
  /** The token of the first start, of an INSTANCE_OWNER. */
  readonly token: string;
}

/**
 * Runs `use` with a new PostgreSQL server and a new instance, and removes both afterwards.
 *
 * @param variables Further environment variables of the server.
 */
export async function withNewInstance(
  use: (instance: NewInstance) => Promise<void>,
  variables: Record<string, string> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "signet-bench-"));
  const postgres = await startPostgres(["-c", "synchronous_commit=off", "-c", "max_wal_size=4GB"]);
  try {
    await postgres.run("create database instance");
    await useInstance(postgres.urlOf("instance"), { ...variables, DATA_DIR: folder }, use);
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function useInstance(
  url: string,
  variables: Record<string, string> & { readonly DATA_DIR: string },
  use: (instance: NewInstance) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const server = await startServer(port, ["bin/signet.js", "serve"], {
    DATABASE_URL: url,
    MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
    PUBLIC_URL: "http://localhost:8080",
    LOG_LEVEL: "error",
    ...variables,
  });
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    const token = readFileSync(join(variables.DATA_DIR, "admin.token"), "utf8").trim();
    await use({ server, port, url, client, token });
  } finally {
    await server.stop();
    await client.end();
  }
}
