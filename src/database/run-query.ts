import type { CompiledQuery, Kysely } from "kysely";
import { isConflict, toSignetError } from "./failure.ts";
import type { Tables } from "./tables.ts";

/**
 * Runs a compiled query. Retries once when the database reports a conflict (serialization failure or deadlock).
 *
 * @param caller Asked before the retry, so that no work is repeated for a caller who has gone.
 * @throws SignetError for every failure of the database; see `toSignetError`.
 */
export async function runQuery<Row>(
  db: Kysely<Tables>,
  query: CompiledQuery<Row>,
  caller?: { throwIfOver(): void },
): Promise<Row[]> {
  try {
    return await runOnce(db, query, caller);
  } catch (error) {
    throw toSignetError(error);
  }
}

async function runOnce<Row>(
  db: Kysely<Tables>,
  query: CompiledQuery<Row>,
  caller: { throwIfOver(): void } | undefined,
): Promise<Row[]> {
  try {
    return (await db.executeQuery(query)).rows;
  } catch (error) {
    if (!isConflict(error)) throw error;
    caller?.throwIfOver();
    return (await db.executeQuery(query)).rows;
  }
}
