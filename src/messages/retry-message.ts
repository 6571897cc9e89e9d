import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { findMessage, type MessageState, stateAt } from "./find-messages.ts";

type RetryOutcome =
  | { readonly kind: "due" }
  | { readonly kind: "not found" }
  /** The message cannot be sent again in this state. */
  | { readonly kind: "refused"; readonly state: Exclude<MessageState, "waiting" | "failed"> };

/**
 * Makes a waiting or permanently rejected message due immediately. Rejects a message that is being sent, because it
 * would be sent twice, and one whose content is erased.
 */
export async function retryMessage(db: Database, { id, now }: { id: string; now: Date }): Promise<RetryOutcome> {
  if (!isId(id)) return { kind: "not found" };
  const changed = await db
    .updateTable("messages")
    .set({ state: "waiting", next_attempt_at: now, ended_at: null })
    .where("id", "=", id)
    .where(stateAt(now), "in", ["waiting", "failed"])
    .returning("id")
    .executeTakeFirst();
  if (changed !== undefined) return { kind: "due" };
  const found = await findMessage(db, { id, now });
  if (found === undefined) return { kind: "not found" };
  // The state changed between the two statements.
  if (found.state === "waiting" || found.state === "failed") return await retryMessage(db, { id, now });
  return { kind: "refused", state: found.state };
}
