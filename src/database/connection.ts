import { Kysely, type PostgresPoolClient } from "kysely";
import pg from "pg";
import type { QueryCaller } from "../call.ts";
import type { DatabaseState, Metrics } from "../telemetry/metrics.ts";
import type { Connections, Database } from "./database.ts";
import { PostgresClient, type PostgresClientConfig } from "./postgres-client.ts";
import { createQueryLimiter, type Lane, type Leave, type QueryLimiter } from "./query-limiter.ts";
import { setSession } from "./session-settings.ts";
import { SignetDialect } from "./signet-dialect.ts";
import type { Tables } from "./tables.ts";
import { readUrlOptions } from "./tls-options.ts";

/** A connection URL, or the folder of the embedded database's socket. */
export type Address = PostgresAddress | { readonly socketDir: string };

interface PostgresAddress {
  readonly url: string;
  /**
   * False if a pooler assigns a session to each transaction. In that case, statements have no names, and the settings of
   * the role or the database apply; see `SESSION_SETTINGS`.
   */
  readonly prepared?: boolean;
}

/** Two clients of one connection pool, with separate queues for a free connection; see `createQueryLimiter`. */
export interface ConnectionPool {
  readonly db: Database;
  /** For pages, whose lists, too, may use only some of the connections. */
  readonly pagesDb: Database;
  state(): DatabaseState;
  /** Waits for running queries, then closes all connections. */
  close(): Promise<void>;
}

interface ConnectOptions {
  /** Whether statements have a time limit. Migrations need `false`. */
  readonly timeLimits?: boolean;
  readonly metrics?: Metrics | undefined;
}

/**
 * The embedded database has a single session, so more connections only add waiting. With 64 queries in flight, 4
 * connections are as fast as 16 (4,000 to 6,000 updates of one row per second).
 */
const EMBEDDED_CONNECTIONS = 4;

/**
 * How long a connection may be idle before TCP checks that the other end is still there. From then on, it checks every
 * second, and closes the connection after ten checks without a response.
 */
export const KEEP_ALIVE_MS = 10_000;

/**
 * Creates a pool of at most `poolSize` connections, opened on demand.
 *
 * Connecting times out after 5 s, a statement after 10 s. On PostgreSQL, statements with names are prepared once per
 * connection. The embedded database shares one session among all connections, so it prepares them once for all. A
 * connection to a server that shuts down or has become read-only is closed after its query.
 *
 * @param onIdleError Called when an idle connection fails. The pool replaces it on demand.
 * @throws ConfigError if the URL has invalid TLS parameters; see `readUrlOptions`.
 */
export function openPool(
  address: Address,
  poolSize: number,
  onIdleError: (error: Error) => void,
  { timeLimits = true, metrics }: ConnectOptions = {},
): ConnectionPool {
  const size = "url" in address ? poolSize : Math.min(poolSize, EMBEDDED_CONNECTIONS);
  const pool = createPool(address, size, onIdleError, timeLimits);
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= pool.end();
    return ended;
  };
  const limiter = createQueryLimiter(size, metrics);
  const open = (lane: Lane, listLane: Lane): Database => {
    const build = (caller?: QueryCaller) => {
      const connect = async () => toKyselyClient(...(await acquire(pool, limiter, lane, caller)));
      return new Kysely<Tables>({ dialect: new SignetDialect({ pool: { connect, end, options: pool.options } }) });
    };
    const lists = createConnections(pool, limiter, listLane);
    return Object.assign(build(), createConnections(pool, limiter, lane), { lists, ofCaller: build });
  };
  const [db, pagesDb] = [open("calls", "lists"), open("pages", "pages")];
  return {
    db,
    pagesDb,
    state: () => ({ limit: size, idle: pool.idleCount, lanes: limiter.state() }),
    async close() {
      await Promise.all([db.destroy(), pagesDb.destroy()]);
      // Kysely ends the pool only if it has used it.
      await end();
    },
  };
}

/** Like `openPool`, but without the client for pages. `destroy` closes the connections. */
export function connect(
  address: Address,
  poolSize: number,
  onIdleError: (error: Error) => void,
  options?: ConnectOptions,
): Database {
  return openPool(address, poolSize, onIdleError, options).db;
}

function createPool(address: Address, max: number, onIdleError: (error: Error) => void, timeLimits: boolean): pg.Pool {
  const pool = new pg.Pool({
    max,
    connectionTimeoutMillis: 5_000,
    types: { getTypeParser },
    Client: PostgresClient,
    // Longer than the server's statement timeout, so it applies only if the network loses the response.
    ...(timeLimits && { responseTimeoutMs: 12_000 }),
    ...("url" in address ? toPostgresOptions(address, timeLimits) : toEmbeddedOptions(address.socketDir)),
  });
  pool.on("error", onIdleError);
  // The pool handles only errors of idle connections. An error of a connection in use rejects its query, but its event
  // would also crash the process without a listener.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

function toPostgresOptions({ url, prepared = true }: PostgresAddress, timeLimits: boolean): pg.PoolConfig {
  const client: PostgresClientConfig = {
    ...readUrlOptions(url),
    prepared,
    application_name: "signet",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  return {
    ...client,
    maxLifetimeSeconds: 1_800,
    // As startup parameters, a pooler would reject them.
    ...(prepared && {
      onConnect: async (opened: pg.ClientBase) => void (await opened.query(setSession(timeLimits))),
    }),
  };
}

function toEmbeddedOptions(socketDir: string): PostgresClientConfig {
  return { host: socketDir, port: 5432, user: "postgres", database: "postgres" };
}

function createConnections(pool: pg.Pool, limiter: QueryLimiter, lane: Lane): Connections {
  return {
    async enter(caller) {
      const [client, leave] = await acquire(pool, limiter, lane, caller);
      return { query: (query) => client.run(query), leave };
    },
  };
}

/** Waits for the limiter, then for a connection, which may have to be opened. `leave` releases both. */
async function acquire(
  pool: pg.Pool,
  limiter: QueryLimiter,
  lane: Lane,
  caller?: QueryCaller,
): Promise<[PostgresClient, Leave]> {
  const leaveLane = await limiter.enter(lane, caller);
  let client: (PostgresClient & pg.PoolClient) | undefined;
  const leave = () => {
    client?.release(client.isSpent);
    leaveLane();
  };
  try {
    client = (await pool.connect()) as PostgresClient & pg.PoolClient;
    // The caller may have disconnected while the connection was being opened.
    caller?.throwIfOver();
    return [client, leave];
  } catch (error) {
    leave();
    throw error;
  }
}

/** The part of a client that Kysely uses for queries without a cursor. */
function toKyselyClient(client: PostgresClient, release: Leave): PostgresPoolClient {
  const query = (sql: string, parameters: readonly unknown[]) => client.run({ sql, parameters });
  return { query: query as unknown as PostgresPoolClient["query"], release };
}

/** Parses bigint columns as bigint instead of text, and every other type as `pg` does. */
function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  return oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format as "text");
}
