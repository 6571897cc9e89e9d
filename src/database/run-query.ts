import type { CompiledQuery, Kysely } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Span } from "../telemetry/span.ts";
import { isConflict, toSignetError } from "./failure.ts";
import type { QueryOptions } from "./limited-dialect.ts";
import { summarize } from "./statement-summary.ts";
import type { Tables } from "./tables.ts";

/**
 * Runs a compiled query and returns its rows. Retries once if the database reports a conflict (serialization failure or
 * deadlock).
 *
 * @param caller If the caller disconnects while the query waits for a connection, the query leaves the queue and is not
 *   sent to the database.
 * @throws SignetError for every database failure (see `toSignetError`); the error of `throwIfOver` if the caller has
 *   disconnected.
 */
export async function runQuery<Row>(
  db: Kysely<Tables>,
  query: CompiledQuery<Row>,
  caller?: QueryCaller,
): Promise<Row[]> {
  if (caller?.unconfirmed !== undefined) throw new Error("the statement does not confirm its caller");
  const span = caller?.span?.isRecorded ? startSpan(caller.span, query) : undefined;
  const options: QueryOptions = { caller, span };
  // Awaited everywhere, because the stack of an error contains the operation only if each promise is awaited.
  try {
    const rows = await runAgainOnConflict(db, query, options);
    span?.end();
    return rows;
  } catch (error) {
    span?.end(error);
    caller?.throwIfOver();
    throw toSignetError(error);
  }
}

function startSpan(parent: Span, query: CompiledQuery): Span | undefined {
  const { name, attributes } = summarize(query);
  return parent.child(name, { kind: "client", attributes });
}

async function runAgainOnConflict<Row>(
  db: Kysely<Tables>,
  query: CompiledQuery<Row>,
  options: QueryOptions,
): Promise<Row[]> {
  try {
    return (await db.executeQuery(query, options)).rows;
  } catch (error) {
    if (!isConflict(error)) throw error;
    return (await db.executeQuery(query, options)).rows;
  }
}
