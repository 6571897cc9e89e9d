import type { QueryCaller } from "../call.ts";
import { type Database, toDatabase } from "./database.ts";
import { isConflict, toSignetError } from "./failure.ts";

/**
 * Runs a transaction for a caller, a second time if the database reports a conflict (deadlock). A query after a lock sees
 * what the transactions that held the lock have committed. On a database that is in a transaction already, that one is
 * used.
 *
 * It holds a connection, and the embedded database serves nobody else meanwhile, so `run` must wait for nothing but its
 * own queries.
 *
 * @throws SignetError for every failure (see `toSignetError`), all of which roll everything back; the error of
 *   `throwIfOver` if the caller has disconnected.
 */
export async function runTransaction<Result>(
  db: Database,
  caller: QueryCaller,
  run: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  if (caller.authority?.kind === "toConfirm") throw new Error("a transaction does not confirm its caller");
  if (db.isTransaction) return await run(db);
  const span = caller.span?.child("TRANSACTION", { kind: "client", attributes: { "db.system.name": "postgresql" } });
  const attempt = async () => {
    const transaction = db.ofCaller(caller).transaction().setIsolationLevel("read committed");
    return await transaction.execute(async (begun) => await run(toDatabase(begun)));
  };
  try {
    const result = await attempt().catch(async (error) => {
      if (!isConflict(error)) throw error;
      return await attempt();
    });
    span?.end();
    return result;
  } catch (error) {
    span?.end(error);
    caller.throwIfOver();
    throw toSignetError(error);
  }
}
