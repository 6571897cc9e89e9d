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

/** The outcome of an attempt. `refused` is permanent; after `failed`, the next attempt is due at `nextAttemptAt`. */
export type AttemptOutcome =
  | { readonly kind: "sent" }
  /** The code of the message is no longer usable. */
  | { readonly kind: "expired" }
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "failed"; readonly error: string; readonly nextAttemptAt: Date };

/**
 * Stores the outcome of an attempt. The content is erased once the message was sent, which starts the validity of its code, or has
 * expired, which ends the code. That of a refused message is kept, so that it can be resent later.
 *
 * @returns Whether the claim was still valid. If not, nothing changes.
 */
export async function endAttempt(
  db: Database,
  message: ClaimedMessage,
  outcome: AttemptOutcome,
  now: Date,
  caller?: QueryCaller,
): Promise<boolean> {
  const claim: Claim = { orgId: message.org_id, id: message.id, attempts: message.attempts };
  return (await store()).length > 0;

  function store(): Promise<readonly unknown[]> {
    switch (outcome.kind) {
      case "sent": {
        const codeExpiresAt = new Date(now.getTime() + VALID_SECONDS[message.kind] * 1_000);
        return endMessage(db, { ...claim, state: "sent", now, codeExpiresAt }, caller);
      }
      case "expired":
        return endMessage(db, { ...claim, state: "expired", now, codeExpiresAt: now }, caller);
      case "refused":
        return failAttempt(db, { ...claim, state: "failed", ...outcome, nextAttemptAt: null, endedAt: now }, caller);
      case "failed":
        return failAttempt(db, { ...claim, state: "waiting", ...outcome, endedAt: null }, caller);
      default:
        return outcome satisfies never;
    }
  }
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

interface Claim {
  orgId: string;
  id: string;
  attempts: number;
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

interface FailValues extends Claim {
  state: "waiting" | "failed";
  error: string;
  nextAttemptAt: Date | null;
  endedAt: Date | null;
}

const failAttempt = prepareStatement<FailValues, { id: string }>((db, param) =>
  db
    .updateTable("messages")
    .set({
      state: param("state", "text"),
      next_attempt_at: param("nextAttemptAt", "timestamptz"),
      ended_at: param("endedAt", "timestamptz"),
      last_error: param("error", "text"),
    })
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .where("attempts", "=", param("attempts", "bigint"))
    .where("state", "=", "waiting")
    .returning("id"),
);
