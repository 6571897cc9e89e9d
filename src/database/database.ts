import { CompiledQuery, type Kysely } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { StatementSummary } from "./statement-summary.ts";
import type { Tables } from "./tables.ts";

/** The database, with a share of its connections. Kysely builds queries, and runs those that are not prepared. */
export type Database = Kysely<Tables> &
  Connections & {
    /** For lists and searches, which may use only some of the connections. */
    readonly lists: Connections;
    /** Builds and runs the queries of a caller: see `runTransaction`. */
    readonly ofCaller: (caller: QueryCaller) => Kysely<Tables>;
  };

/** Where statements get their connections. */
export interface Connections {
  /**
   * Waits until the limiter grants a connection.
   *
   * @throws SignetError UNAVAILABLE if too many others wait; the error of `throwIfOver` if the caller has
   *   disconnected; errors of `pg`.
   */
  enter(caller?: QueryCaller): Promise<Connection>;
}

export interface Connection {
  /** @throws Errors of `pg`. */
  query(query: Query): Promise<{ readonly rows: unknown[] }>;
  /** Releases the connection. Call it exactly once. */
  leave(): void;
}

/** A statement and its values, such as a `CompiledQuery` of Kysely. */
export interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Set if PostgreSQL parses and plans the statement once per connection. */
  readonly name?: string | undefined;
  /** For the span of the statement; by default, derived from its text. */
  readonly summary?: StatementSummary | undefined;
}

/** Makes prepared statements run in a transaction. */
export function toDatabase(transaction: Kysely<Tables>): Database {
  const connection: Connection = {
    query: async ({ sql, parameters }) => transaction.executeQuery(CompiledQuery.raw(sql, [...parameters])),
    leave() {},
  };
  const connections: Connections = { enter: async () => connection };
  return Object.assign(transaction, connections, { lists: connections, ofCaller: () => transaction });
}
