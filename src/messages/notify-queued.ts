import { sql } from "kysely";
import type { Database } from "../database/database.ts";

/** The PostgreSQL notification channel that announces queued messages. */
export const QUEUED_CHANNEL = "signet_messages";
const INTERVAL_MS = 200;

/** Notifies all processes on this database that a message was queued. Throws the driver's error. */
export async function notifyQueued(db: Database): Promise<void> {
  await sql`notify ${sql.id(QUEUED_CHANNEL)}`.execute(db);
}

/**
 * Creates a function that notifies the other processes, throttled to once per 200 ms with a trailing notification.
 *
 * NOTIFY is a separate statement, because a transaction with NOTIFY holds a global lock while it commits, which would
 * serialize the calls (PostgreSQL, `PreCommit_Notify`). Errors are ignored, because each process also polls the queue.
 */
export function createNotifyQueued(db: Database): () => void {
  let isThrottled = false;
  let isPending = false;

  async function notify(): Promise<void> {
    isPending = false;
    isThrottled = true;
    await notifyQueued(db).catch(() => {});
    setTimeout(() => {
      isThrottled = false;
      if (isPending) void notify();
    }, INTERVAL_MS).unref();
  }

  return () => {
    isPending = true;
    if (!isThrottled) void notify();
  };
}
