import { timingSafeEqual } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { createFindCode, FoundCode } from "../codes/find-code.ts";
import { isReplaced, wrongElsewhere } from "../codes/other-codes.ts";
import { isNotExpired, markCodeUsed, readValidCode, type UseCodeValues } from "../codes/use-code.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";

/** Wrong digits that end a code, and wrong digits of a user in 24 hours over all codes. */
const TRIES_A_CODE = 5;
const TRIES_A_DAY = 10;
const DAY_MS = 24 * 3_600_000;

export type VerifyPhoneOutcome =
  | { readonly kind: "verified" }
  /** As `code` is after the attempt. */
  | { readonly kind: "wrong"; readonly code: FoundCode }
  /** The code is not valid, or takes no more attempts. */
  | { readonly kind: "refused"; readonly code: FoundCode };

/** How many attempts a code takes before it ends. */
export function attemptsLeft({ attempts, wrongToday }: FoundCode): number {
  return Math.max(0, Math.min(TRIES_A_CODE - attempts, TRIES_A_DAY - wrongToday));
}

/** When the user may try again, with a new code, after too many wrong attempts with all of them; else undefined. */
export function nextAttemptAt({ wrongToday, wrongSince }: FoundCode, now: Date): Date | undefined {
  if (wrongToday < TRIES_A_DAY) return undefined;
  return new Date((wrongSince ?? now).getTime() + DAY_MS);
}

/**
 * Verifies a phone number by the digits of an SMS. An attempt is counted before it is compared, so that attempts at the
 * same time are no more than those one after the other.
 *
 * @returns A function that takes a code that was found, and six digits. It throws SignetError: ABORTED, or what the
 *   database gives.
 */
export function createVerifyPhone({
  db,
  keyring,
  clock,
  findCode,
}: {
  db: Kysely<Tables>;
  keyring: Keyring;
  clock: Clock;
  findCode: ReturnType<typeof createFindCode>;
}) {
  const countAttempt = prepareCountAttempt(db);
  const markVerified = prepareMarkVerified(db);

  return async (held: FoundCode, digits: string): Promise<VerifyPhoneOutcome> => {
    const [counted] = await countAttempt({ ownerId: held.orgId, codeId: held.id, now: clock() });
    if (counted === undefined) return { kind: "refused", code: await findAgain(held) };
    const isRight = isSame(keyring, `${held.id} ${digits}`, counted);
    for (let attempt = 0; attempt < 5; attempt++) {
      const code = await findAgain(held);
      if (!isRight) return { kind: "wrong", code };
      if (code.state !== "valid" || code.user.phoneVerified) return { kind: "refused", code };
      const phone = code.recipient ?? "";
      const [row] = await markVerified({
        ownerId: code.orgId,
        aggregateId: code.userId,
        editorId: code.userId,
        codeId: code.id,
        sequence: code.user.sequence,
        now: clock(),
        events: eventsToJson([{ type: "user.human.phone.verified", payload: { phone } }]),
      });
      if (row !== undefined) return { kind: "verified" };
    }
    throw new SignetError("ABORTED", "the user changed meanwhile; try again");
  };

  async function findAgain({ kind, text }: FoundCode): Promise<FoundCode> {
    const code = await findCode(kind, text);
    if (code === undefined) throw new SignetError("ABORTED", "the code is gone");
    return code;
  }
}

interface CountedAttempt {
  readonly digits_hash: Buffer | null;
  readonly digits_key: string | null;
}

/** In a time that does not depend on where the digits differ. */
function isSame(keyring: Keyring, text: string, { digits_hash, digits_key }: CountedAttempt): boolean {
  if (digits_hash === null || digits_key === null) return false;
  return timingSafeEqual(keyring.digest(text, digits_key).mac, digits_hash);
}

/**
 * Counts an attempt, unless the code takes no more. The bounds are on the row's own count, which those who come at the
 * same time read one after the other; the other codes are replaced, and nobody tries them any more.
 */
function prepareCountAttempt(db: Kysely<Tables>) {
  return prepareStatementOn<Omit<UseCodeValues, "sequence">, CountedAttempt>(db, (param) => {
    const now = param("now", "timestamptz");
    return db
      .updateTable("codes")
      .from("users")
      .set({ attempts: sql`codes.attempts + 1` })
      .where("codes.org_id", "=", param("ownerId", "uuid"))
      .where("codes.id", "=", param("codeId", "uuid"))
      .where("codes.kind", "=", "phone")
      .where("codes.used_at", "is", null)
      .where(isNotExpired(param))
      .where(({ not }) => not(isReplaced))
      .whereRef("users.org_id", "=", "codes.org_id")
      .whereRef("users.id", "=", "codes.user_id")
      .whereRef("users.phone", "=", "codes.recipient")
      .where("users.phone_verified", "=", false)
      .where("codes.attempts", "<", TRIES_A_CODE)
      .where(sql<boolean>`codes.attempts < ${sql.lit(TRIES_A_DAY)} - ${wrongElsewhere(now)}`)
      .returning(["codes.digits_hash", "codes.digits_key"]);
  });
}

/** Uses the code and marks the number as verified; gives no row where either has changed. */
function prepareMarkVerified(db: Kysely<Tables>) {
  return prepareStatementOn<EventValues & UseCodeValues, { sequence: bigint }>(db, (param) =>
    db
      .with("code", () => readValidCode(param, "phone"))
      .with("changed", (query) =>
        query
          .updateTable("users")
          .from("code")
          .set({
            phone_verified: true,
            sequence: sql`users.sequence + jsonb_array_length(${param("events", "jsonb")})`,
            changed_at: sql`greatest(users.changed_at, ${param("now", "timestamptz")})`,
          })
          .whereRef("users.org_id", "=", "code.org_id")
          .whereRef("users.id", "=", "code.user_id")
          .whereRef("users.phone", "=", "code.recipient")
          .where("users.sequence", "=", param("sequence", "bigint"))
          .returning(["users.sequence", "users.changed_at"]),
      )
      .with("used", markCodeUsed)
      .with("appended", () => appendEvents(param, "changed"))
      .selectFrom("changed")
      .select("sequence"),
  );
}
