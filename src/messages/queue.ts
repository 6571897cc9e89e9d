import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import { VALID_SECONDS } from "../codes/kinds.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { ClaimedMessage } from "./claim-messages.ts";

/** Extends claims. */
export async function renewClaims(db: Database, messages: readonly ClaimedMessage[], until: Date): Promise<void> {
  if (messages.length === 0) return;
  const claims = messages.map(({ org_id, id, attempts }) => ({ org_id, id, attempts }));
  await renewMessages(db, { claims: JSON.stringify(claims), until });
}

/**
 * Records that a message was delivered: erases its content, and starts the validity of its code.
 *
 * @returns Whether the claim was still valid. If not, nothing changes. The same applies to the functions below.
 */
export async function markSent(
  db: Database,
  message: ClaimedMessage,
  now: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  const codeExpiresAt = new Date(now.getTime() + VALID_SECONDS[message.kind] * 1_000);
  return (await endMessage(db, { ...toClaim(message), state: "sent", now, codeExpiresAt }, caller)).length > 0;
}

/** Records that an attempt failed, and when the next one is due. */
export async function markRetry(
  db: Database,
  message: ClaimedMessage,
  error: string,
  nextAttemptAt: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  return (await postponeMessage(db, { ...toClaim(message), error, nextAttemptAt }, caller)).length > 0;
}

/** Records that a message was permanently rejected. Its content is kept, so that it can be resent later. */
export async function markFailed(
  db: Database,
  message: ClaimedMessage,
  error: string,
  now: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  return (await failMessage(db, { ...toClaim(message), error, now }, caller)).length > 0;
}

/** Records that the code of a message is no longer usable: erases the content, and ends the code. */
export async function markExpired(
  db: Database,
  message: ClaimedMessage,
  now: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  return (await endMessage(db, { ...toClaim(message), state: "expired", now, codeExpiresAt: now }, caller)).length > 0;
}

const renewMessages = prepareStatement<{ claims: string; until: Date }, unknown>((db, param) =>
  db
    .updateTable("messages")
    .from(
      sql<{
        org_id: string;
        id: string;
        attempts: number;
      }>`jsonb_to_recordset(${param("claims", "jsonb")})`.as<"claims">(
        sql`claims (org_id uuid, id uuid, attempts integer)`,
      ),
    )
    .set({ next_attempt_at: param("until", "timestamptz") })
    .whereRef("messages.org_id", "=", "claims.org_id")
    .whereRef("messages.id", "=", "claims.id")
    .whereRef("messages.attempts", "=", "claims.attempts")
    .where("messages.state", "=", "waiting")
    // An attempt that failed in the meantime has already set when the next one is due.
    .where("messages.last_error", "is", null),
);

/** Identifies a claim. */
interface Claim {
  orgId: string;
  id: string;
  attempts: number;
}

function toClaim({ org_id, id, attempts }: ClaimedMessage): Claim {
  return { orgId: org_id, id, attempts };
}

interface EndValues extends Claim {
  state: "sent" | "expired";
  now: Date;
  codeExpiresAt: Date;
}

/** Ends a message and sets the expiry of its code, unless it is already set. */
const endMessage = prepareStatement<EndValues, { id: string }>((db, param) =>
  db
    .with("ended", (query) =>
      query
        .updateTable("messages")
        .set({
          state: param("state", "text"),
          next_attempt_at: null,
          ended_at: param("now", "timestamptz"),
          content: null,
          content_key: null,
        })
        .where("org_id", "=", param("orgId", "uuid"))
        .where("id", "=", param("id", "uuid"))
        .where("attempts", "=", param("attempts", "bigint"))
        .where("state", "=", "waiting")
        .returning(["id", "code_id"]),
    )
    .with("coded", (query) =>
      query
        .updateTable("codes")
        .from("ended")
        .set({ expires_at: sql`coalesce(codes.expires_at, ${param("codeExpiresAt", "timestamptz")})` })
        .where("codes.org_id", "=", param("orgId", "uuid"))
        .whereRef("codes.id", "=", "ended.code_id"),
    )
    .selectFrom("ended")
    .select("id"),
);

const postponeMessage = prepareStatement<Claim & { error: string; nextAttemptAt: Date }, { id: string }>((db, param) =>
  db
    .updateTable("messages")
    .set({ next_attempt_at: param("nextAttemptAt", "timestamptz"), last_error: param("error", "text") })
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .where("attempts", "=", param("attempts", "bigint"))
    .where("state", "=", "waiting")
    .returning("id"),
);

const failMessage = prepareStatement<Claim & { error: string; now: Date }, { id: string }>((db, param) =>
  db
    .updateTable("messages")
    .set({
      state: "failed",
      next_attempt_at: null,
      ended_at: param("now", "timestamptz"),
      last_error: param("error", "text"),
    })
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .where("attempts", "=", param("attempts", "bigint"))
    .where("state", "=", "waiting")
    .returning("id"),
);
