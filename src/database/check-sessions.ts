import pg from "pg";
import { ConfigError } from "../config.ts";
import { isConnectionError } from "./failure.ts";
import { readUrlOptions } from "./tls-options.ts";

/** How long the pooler may take to assign a session. */
const ASSIGN_MS = 1_000;
/** A round-robin pooler may assign the same session twice in a row. */
const ROUNDS = 3;

/**
 * Checks that a connection keeps one PostgreSQL session. Behind PgBouncer in transaction mode, it does not: each
 * transaction may run in a different session, which lacks the connection's prepared statements and settings.
 *
 * Takes one query if there is no pooler.
 *
 * @throws ConfigError if the session changes; the driver's error if the database cannot be reached.
 */
export async function checkSessions(url: string): Promise<void> {
  const [first, second] = [createClient(url), createClient(url)];
  try {
    await first.connect();
    // Poolers announce a made-up process id.
    if ((await readSession(first)) === announcedSession(first)) return;
    await second.connect();
    if (await keepsSession(first, second)) return;
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
  throw new ConfigError(
    "DATABASE_URL leads to a connection pooler that shares sessions between connections (transaction mode): set DATABASE_PREPARED=false, or use a pooler in session mode",
  );
}

/**
 * If sessions are shared, the first connection gets a different session while a transaction of the second one uses the
 * first session.
 */
async function keepsSession(first: pg.Client, second: pg.Client): Promise<boolean> {
  const session = await readSession(first);
  for (let round = 1; round <= ROUNDS; round++) {
    // In session mode, the pooler may have only one session.
    if ((await orTimeout(second.query("begin"))) === undefined) return true;
    if ((await orTimeout(readSession(first))) !== session) return false;
    await second.query("commit");
  }
  return true;
}

/** @returns undefined if the pooler has no session to assign. */
async function orTimeout<T>(query: Promise<T>): Promise<T | undefined> {
  try {
    return await query;
  } catch (error) {
    if (isConnectionError(error)) return undefined;
    throw error;
  }
}

async function readSession(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}

/** `pg` does not document this property. Without it, two more queries are needed. */
function announcedSession(client: pg.Client): unknown {
  return "processID" in client ? client.processID : undefined;
}

function createClient(url: string): pg.Client {
  const client = new pg.Client({
    ...readUrlOptions(url),
    application_name: "signet",
    connectionTimeoutMillis: 5_000,
    query_timeout: ASSIGN_MS,
  });
  // A connection error also rejects the query.
  return client.on("error", () => {});
}
