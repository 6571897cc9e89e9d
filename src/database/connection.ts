import { Kysely } from "kysely";
import pg from "pg";
import type { DatabaseState, Metrics } from "../telemetry/metrics.ts";
import { createGate, type Lane } from "./gate.ts";
import { GatedDialect } from "./gated-dialect.ts";
import { statementName } from "./statement-names.ts";
import type { Tables } from "./tables.ts";

/** A connection URL, or the folder of the embedded database's socket. */
export type Address = { readonly url: string } | { readonly socketDir: string };

/** Two clients of one connection pool, each with its own queue for a free connection; see `createGate`. */
export interface Connections {
  readonly db: Kysely<Tables>;
  /** For the pages, which may use only a part of the connections. */
  readonly pagesDb: Kysely<Tables>;
  state(): DatabaseState;
  /** Waits for running queries, then closes all connections. */
  close(): Promise<void>;
}

interface ConnectOptions {
  /** Whether statements have a timeout. Migrations need `false`. */
  readonly timeLimits?: boolean;
  readonly metrics?: Metrics | undefined;
}

/**
 * The embedded database has a single session, so more connections only add waiting. With 64 queries in flight, 4
 * connections are as fast as 16 (4,000 to 6,000 updates of one row per second).
 */
const EMBEDDED_CONNECTIONS = 4;

/**
 * Creates a pool of at most `poolSize` connections, which are opened on demand.
 *
 * Connecting times out after 5 s, a statement after 10 s. On PostgreSQL the statements of `prepareStatement` are
 * prepared once per connection. The embedded database shares one session among all connections, so statement names
 * would collide.
 *
 * @param onIdleError Called when an idle connection fails. The pool replaces it on demand.
 */
export function openConnections(
  address: Address,
  poolSize: number,
  onIdleError: (error: Error) => void,
  { timeLimits = true, metrics }: ConnectOptions = {},
): Connections {
  const size = "url" in address ? poolSize : Math.min(poolSize, EMBEDDED_CONNECTIONS);
  const pool = createPool(address, size, onIdleError, timeLimits);
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= pool.end();
    return ended;
  };
  const shared = { connect: () => pool.connect(), end, options: pool.options };
  const gate = createGate(size, metrics);
  const open = (lane: Lane) => new Kysely<Tables>({ dialect: new GatedDialect({ pool: shared }, gate, lane) });
  const [db, pagesDb] = [open("calls"), open("pages")];
  return {
    db,
    pagesDb,
    state: () => ({ limit: size, idle: pool.idleCount, lanes: gate.state() }),
    async close() {
      await Promise.all([db.destroy(), pagesDb.destroy()]);
      // Kysely ends the pool only if it has used it.
      await end();
    },
  };
}

/** Like `openConnections`, but without the client for pages. `destroy` closes the connections. */
export function connect(
  address: Address,
  poolSize: number,
  onIdleError: (error: Error) => void,
  options?: ConnectOptions,
): Kysely<Tables> {
  return openConnections(address, poolSize, onIdleError, options).db;
}

function createPool(address: Address, max: number, onIdleError: (error: Error) => void, timeLimits: boolean): pg.Pool {
  // Longer than the server's statement timeout: this one applies only if the network loses the response.
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
  // The pool handles only errors of idle connections. An error of a connection in use rejects its query, but its event
  // would also crash the process without a listener.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Names the statements of `prepareStatement`, so that PostgreSQL parses and plans each of them once per connection. */
class NamingClient extends pg.Client {
  // `query` has eight overloads. Only the form that Kysely uses is changed.
  // biome-ignore lint/suspicious/noExplicitAny: TypeScript cannot distinguish the overloads here
  override query(text: any, values?: any, callback?: any): any {
    const name = typeof text === "string" && Array.isArray(values) && values.length > 0 && statementName(text);
    return name ? super.query({ name, text, values }) : super.query(text, values, callback);
  }
}

/** Parses bigint columns as bigint instead of text, and every other type as `pg` does. */
function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  return oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format as "text");
}
