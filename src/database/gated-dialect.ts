import { type AbortableQueryOptions, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from "kysely";
import type { Span } from "../telemetry/span.ts";
import type { Caller, Gate, Lane, Leave } from "./gate.ts";

/** Options of `Kysely.executeQuery`, which reach `acquireConnection` as they are when they hold no `signal`. */
export interface QueryOptions extends AbortableQueryOptions {
  readonly caller?: Caller | undefined;
  /** The span of the statement, which begins with the wait for a connection. */
  readonly span?: Span | undefined;
}

/** Kysely does not export it. */
type PostgresConnection = Parameters<PostgresDriver["releaseConnection"]>[0];

/** The dialect of PostgreSQL, with a gate in front of the pool. */
export class GatedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #gate: Gate;
  readonly #lane: Lane;

  constructor(config: PostgresDialectConfig, gate: Gate, lane: Lane) {
    super(config);
    this.#config = config;
    this.#gate = gate;
    this.#lane = lane;
  }

  override createDriver(): PostgresDriver {
    return new GatedDriver(this.#config, this.#gate, this.#lane);
  }
}

class GatedDriver extends PostgresDriver {
  readonly #gate: Gate;
  readonly #lane: Lane;
  readonly #leaves = new Map<PostgresConnection, Leave>();

  constructor(config: PostgresDialectConfig, gate: Gate, lane: Lane) {
    super(config);
    this.#gate = gate;
    this.#lane = lane;
  }

  override async acquireConnection(options?: QueryOptions): Promise<PostgresConnection> {
    const leave = await this.#gate.enter(this.#lane, options?.caller);
    let connection: PostgresConnection | undefined;
    try {
      connection = (await super.acquireConnection(options)) as PostgresConnection;
      // Opening a connection takes a while; the caller may have gone.
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
