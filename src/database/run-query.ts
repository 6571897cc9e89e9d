import type { QueryCaller } from "../call.ts";
import type { Connection, Connections, Query } from "./database.ts";
import { isConflict, toSignetError } from "./failure.ts";
import { summarize } from "./statement-summary.ts";

/**
 * Runs a query and returns its rows. Retries once if the database reports a conflict (serialization failure or
 * deadlock).
 *
 * @param caller If the caller disconnects while the query waits for a connection, the query leaves the queue and is not
 *   sent to the database.
 * @throws SignetError for every database failure (see `toSignetError`); the error of `throwIfOver` if the caller has
 *   disconnected.
 */
export async function runQuery<Row>(db: Connections, query: Query, caller?: QueryCaller): Promise<Row[]> {
  if (caller?.authority?.kind === "toConfirm") throw new Error("the statement does not confirm its caller");
  const span = caller?.span?.isRecorded ? startSpan(caller.span, query) : undefined;
  // Awaited everywhere, because the stack of an error contains the operation only if each promise is awaited.
  try {
    const connection = await db.enter(caller);
    span?.event("connection acquired");
    const rows = await sendQuery(connection, query).finally(connection.leave);
    span?.end();
    return rows as Row[];
  } catch (error) {
    span?.end(error);
    caller?.throwIfOver();
    throw toSignetError(error);
  }
}

/** Sends a query over a connection, again after a conflict, and returns its rows. Throws errors of `pg`. */
export async function sendQuery(connection: Connection, query: Query): Promise<unknown[]> {
  try {
    return (await connection.query(query)).rows;
  } catch (error) {
    if (!isConflict(error)) throw error;
    return (await connection.query(query)).rows;
  }
}

function startSpan(parent: NonNullable<QueryCaller["span"]>, { sql, summary = summarize(sql) }: Query) {
  return parent.child(summary.name, { kind: "client", attributes: summary.attributes });
}
