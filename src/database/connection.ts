import { createHash } from "node:crypto";
import { Kysely } from "kysely";
import pg from "pg";
import { createGate, type Lane } from "./gate.ts";
import { GatedDialect } from "./gated-dialect.ts";
import type { Tables } from "./tables.ts";

/** A connection string, or the folder of the embedded database's socket. */
export type Address = { readonly url: string } | { readonly socketDir: string };

/** Two ways to the same connections. Each waits in a queue of its own for a free one; see `createGate`. */
export interface Connections {
  readonly db: Kysely<Tables>;
  /** For the pages: may use a part of the connections only. */
  readonly pagesDb: Kysely<Tables>;
  /** Closes all connections, once the queries that run have ended. */
  close(): Promise<void>;
}

interface ConnectOptions {
  /** `false` lets a statement run for as long as it takes, which migrations need. */
  readonly timeLimits?: boolean;
}

/**
 * The embedded database is one session: more connections only queue in front of it. With 64 queries in flight, 4 of them
 * run as many per second as 16 (4,000 to 6,000 updates of one row).
 */
const EMBEDDED_CONNECTIONS = 4;

/**
 * Opens connections to PostgreSQL, at most `poolSize`, as they are needed.
 *
 * Connecting takes 5 s at most, and a statement 10 s. On PostgreSQL each statement that has parameters is prepared once
 * per connection; the embedded database has one session for all connections, in which names would clash.
 *
 * @param onIdleError Called when an idle connection breaks; another one replaces it when it is needed.
 */
export function openConnections(
  address: Address,
  poolSize: number,
  onIdleError: (error: Error) => void,
  { timeLimits = true }: ConnectOptions = {},
): Connections {
  const size = "url" in address ? poolSize : Math.min(poolSize, EMBEDDED_CONNECTIONS);
  const pool = createPool(address, size, onIdleError, timeLimits);
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= pool.end();
    return ended;
  };
  const shared = { connect: () => pool.connect(), end, options: pool.options };
  const gate = createGate(size);
  const open = (lane: Lane) => new Kysely<Tables>({ dialect: new GatedDialect({ pool: shared }, gate, lane) });
  const [db, pagesDb] = [open("calls"), open("pages")];
  return {
    db,
    pagesDb,
    async close() {
      await Promise.all([db.destroy(), pagesDb.destroy()]);
      // Kysely ends the pool only where it has used it.
      await end();
    },
  };
}

/** As `openConnections`, without the pages' part; `destroy` closes the connections. */
export function connect(
  address: Address,
  poolSize: number,
  onIdleError: (error: Error) => void,
  options?: ConnectOptions,
): Kysely<Tables> {
  return openConnections(address, poolSize, onIdleError, options).db;
}

function createPool(address: Address, max: number, onIdleError: (error: Error) => void, timeLimits: boolean): pg.Pool {
  // The server's own limit comes first; this one is for a network that loses the answer.
  const queryLimit = timeLimits ? { query_timeout: 12_000 } : {};
  const pool = new pg.Pool({
    max,
    connectionTimeoutMillis: 5_000,
    types: { getTypeParser },
    ...("url" in address
      ? {
          connectionString: address.url,
          Client: NamingClient,
          application_name: "signet",
          ...(timeLimits && { statement_timeout: 10_000 }),
          ...queryLimit,
          idle_in_transaction_session_timeout: 10_000,
          maxLifetimeSeconds: 1_800,
          keepAlive: true,
        }
      : { host: address.socketDir, port: 5432, user: "postgres", database: "postgres", ...queryLimit }),
  });
  pool.on("error", onIdleError);
  // The pool handles the errors of idle connections only. The error of one in use rejects its query; as an event without
  // a listener it would end the process too.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Names each statement by its text, so that PostgreSQL parses and plans it once per connection. */
class NamingClient extends pg.Client {
  // `query` has eight overloads; only the form that Kysely uses is changed.
  // biome-ignore lint/suspicious/noExplicitAny: the overloads cannot be told apart by type here
  override query(text: any, values?: any, callback?: any): any {
    if (typeof text !== "string" || !Array.isArray(values) || values.length === 0)
      return super.query(text, values, callback);
    return super.query({ name: statementName(text), text, values });
  }
}

const NAMES = new Map<string, string>();

function statementName(text: string): string {
  let name = NAMES.get(text);
  if (name === undefined) {
    name = createHash("sha256").update(text).digest("base64url");
    NAMES.set(text, name);
  }
  return name;
}

/** Reads bigint as bigint, for which `pg` gives text, and every other type as `pg` does. */
function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  return oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format as "text");
}
