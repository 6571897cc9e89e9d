import { type Kysely, sql } from "kysely";
import type { Tables } from "../database/tables.ts";

/** The channel of PostgreSQL on which processes tell each other that a message was queued. */
export const QUEUED_CHANNEL = "signet_messages";
const PAUSE_MS = 200;

/** Tells all processes on this database that a message was queued. Throws what the database gives. */
export async function notifyQueued(db: Kysely<Tables>): Promise<void> {
  await sql`notify ${sql.id(QUEUED_CHANNEL)}`.execute(db);
}

/**
 * Makes a function that tells the other processes, every 200 ms at most, and at once where it has not just done so.
 *
 * Always in a statement of its own: a transaction that notifies takes a lock for its commit, and calls that each did so
 * would commit one after the other (PostgreSQL, `PreCommit_Notify`). Nobody waits for it, and a failure is of no
 * consequence: each process looks at the queue every few seconds.
 */
export function createNotifyQueued(db: Kysely<Tables>): () => void {
  let isPausing = false;
  let isWanted = false;

  async function tell(): Promise<void> {
    isWanted = false;
    isPausing = true;
    await notifyQueued(db).catch(() => {});
    setTimeout(() => {
      isPausing = false;
      if (isWanted) void tell();
    }, PAUSE_MS).unref();
  }

  return () => {
    isWanted = true;
    if (!isPausing) void tell();
  };
}
