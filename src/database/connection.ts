import { createHash } from "node:crypto";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Tables } from "./tables.ts";

/** Where a database is: a connection string, or the folder of the embedded one's socket. */
export type Address = { readonly url: string } | { readonly socketDir: string };

/**
 * Connections to PostgreSQL.
 *
 * A call waits 5 s at most for a connection, and a statement runs 10 s at most. On PostgreSQL each statement that has
 * parameters is prepared once per connection. The embedded database gets neither: it is one session behind all
 * connections.
 *
 * @param onIdleError Called when a connection that nobody uses breaks; it is replaced when it is next needed.
 * @param options `timeLimits: false` lets a statement run for as long as it takes, which migrations need.
 */
export function connect(
  address: Address,
  poolSize: number,
  onIdleError: (error: Error) => void,
  { timeLimits = true }: { readonly timeLimits?: boolean } = {},
): Kysely<Tables> {
  // The server's own limit comes first; this one is for a network that swallows the answer.
  const queryLimit = timeLimits ? { query_timeout: 12_000 } : {};
  const pool = new pg.Pool({
    max: poolSize,
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
  // The pool listens to idle connections alone. One that breaks while a call has it fails the call's query, and would end
  // the process besides, as an error that nobody hears.
  pool.on("connect", (client) => client.on("error", () => {}));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
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

/** bigint is bigint: `pg` gives text. Every other type is read as `pg` does. */
function getTypeParser(oid: number, format?: "text" | "binary"): unknown {
  return oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format as "text");
}
