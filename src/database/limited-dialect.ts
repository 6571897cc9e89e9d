import {
  type AbortableQueryOptions,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
} from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Span } from "../telemetry/span.ts";
import type { Lane, Leave, QueryLimiter } from "./query-limiter.ts";

/** Options of `Kysely.executeQuery`, which are passed to `acquireConnection` unchanged if they have no `signal`. */
export interface QueryOptions extends AbortableQueryOptions {
  readonly caller?: QueryCaller | undefined;
  /** The span of the statement, which starts with the wait for a connection. */
  readonly span?: Span | undefined;
}

/** Kysely does not export it. */
type PostgresConnection = Parameters<PostgresDriver["releaseConnection"]>[0];

/** The advisory lock of migrations, with the number of Kysely's own lock, which earlier versions used. */
export const MIGRATION_LOCK = sql.lit(3853314791062309107n);

/** The PostgreSQL dialect, with a limiter in front of the pool. */
export class LimitedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #limiter: QueryLimiter;
  readonly #lane: Lane;

  constructor(config: PostgresDialectConfig, limiter: QueryLimiter, lane: Lane) {
    super(config);
    this.#config = config;
    this.#limiter = limiter;
    this.#lane = lane;
  }

  override createAdapter(): PostgresAdapter {
    return new TransactionLockAdapter();
  }

  override createDriver(): PostgresDriver {
    return new LimitedDriver(this.#config, this.#limiter, this.#lane);
  }
}

/**
 * Locks migrations until the end of the transaction. A session lock would outlive it, and behind a pooler, another
 * client may get the session.
 */
class TransactionLockAdapter extends PostgresAdapter {
  // biome-ignore lint/suspicious/noExplicitAny: the type of the overridden method
  override async acquireMigrationLock(db: Kysely<any>): Promise<void> {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(db);
  }

  override async releaseMigrationLock(): Promise<void> {}
}

class LimitedDriver extends PostgresDriver {
  readonly #limiter: QueryLimiter;
  readonly #lane: Lane;
  readonly #leaves = new Map<PostgresConnection, Leave>();

  constructor(config: PostgresDialectConfig, limiter: QueryLimiter, lane: Lane) {
    super(config);
    this.#limiter = limiter;
    this.#lane = lane;
  }

  override async acquireConnection(options?: QueryOptions): Promise<PostgresConnection> {
    const leave = await this.#limiter.enter(this.#lane, options?.caller);
    let connection: PostgresConnection | undefined;
    try {
      connection = (await super.acquireConnection(options)) as PostgresConnection;
      // The caller may have disconnected while the connection was being opened.
      options?.caller?.throwIfOver();
      this.#leaves.set(connection, leave);
      options?.span?.event("connection acquired");
      return connection;
    } catch (error) {
      if (connection !== undefined) await super.releaseConnection(connection);
      leave();
      throw error;
    }
  }

  override async releaseConnection(connection: PostgresConnection): Promise<void> {
    const leave = this.#leaves.get(connection);
    this.#leaves.delete(connection);
    await super.releaseConnection(connection);
    leave?.();
  }
}
