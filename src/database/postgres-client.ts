import type { Socket } from "node:net";
import pg from "pg";
import type { Query } from "./database.ts";
import { endsConnection } from "./failure.ts";

/** `pg.Pool` passes these options to its clients. */
export interface PostgresClientConfig extends pg.ClientConfig {
  /** Whether statements have names. */
  readonly prepared?: boolean;
  /** How long a statement may run without a response from the server before the connection is closed. */
  readonly responseTimeoutMs?: number;
}

/**
 * A client that runs prepared statements by their names, so that PostgreSQL parses and plans each of them once per
 * connection. Also detects that its connection must not be used again.
 */
export class PostgresClient extends pg.Client {
  readonly #prepared: boolean;
  #running = 0;
  /** Whether the pool must close the connection instead of keeping it. */
  isSpent = false;

  constructor(config?: PostgresClientConfig) {
    super(config);
    this.#prepared = config?.prepared ?? true;
    if (config?.responseTimeoutMs) this.#limitResponses(config.responseTimeoutMs);
  }

  async run({ name: givenName, sql: text, parameters }: Query): Promise<pg.QueryResult> {
    const values = [...parameters];
    const name = this.#prepared && values.length > 0 ? givenName : undefined;
    try {
      return await this.#send({ ...(name !== undefined && { name }), text, values });
    } catch (error) {
      if (name === undefined || !isOutdatedPlan(error)) throw this.#note(error);
      // A migration has changed a table used by the prepared statement. The statement was not run.
      this.isSpent = true;
      return await this.#send({ text, values }).catch((second) => {
        throw this.#note(second);
      });
    }
  }

  /**
   * Sends a query with a callback. For a query without one, `pg` assigns a function literal to a property, which V8
   * allocates in the old generation: until the next major collection, it keeps the rows and everything that the
   * operation created, and each minor collection copies them (7 ms every 45 pages of ListUsers; 0.5 ms with a
   * callback).
   */
  #send(config: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#running++;
    return new Promise((resolve, reject) => {
      this.query(config, (error: Error | undefined, result: pg.QueryResult) => {
        this.#running--;
        if (error) reject(error);
        else resolve(result);
      });
    });
  }

  /** One timer per connection. `pg`'s `query_timeout` creates a timer per query, and a function literal as above. */
  #limitResponses(timeoutMs: number): void {
    this.once("connect", () => {
      const socket = this.connection.stream as Socket;
      socket.setTimeout(timeoutMs, () => {
        if (this.#running > 0) socket.destroy(new Error("query read timeout"));
      });
    });
  }

  /** Returns the error. */
  #note(error: unknown): unknown {
    if (endsConnection(error)) this.isSpent = true;
    // The error was created while a response was read; now its stack contains the operation.
    if (error instanceof Error) Error.captureStackTrace(error);
    return error;
  }
}

/** PostgreSQL, `RevalidateCachedQuery`: "cached plan must not change result type". */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}
