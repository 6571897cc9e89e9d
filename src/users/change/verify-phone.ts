import { sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import { takesAttempt } from "../../codes/attempts.ts";
import { isForCurrentRecipient, isValid } from "../../codes/conditions.ts";
import { isRightDigits, type StoredDigits } from "../../codes/digits.ts";
import { type FindCodeParts, type FoundCode, findCodeAgain } from "../../codes/find-code.ts";
import { retryWithCode } from "../../codes/retry-with-code.ts";
import { codeToValues, type UseCodeValues } from "../../codes/use-code.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { isActiveUser } from "../../database/active.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { eventsToJson } from "../../events/append-events.ts";
import { prepareMarkVerified, toIdentifierKey } from "./prepare-mark-verified.ts";

type VerifyPhoneOutcome =
  | { readonly kind: "verified" }
  /** It is the user name of another user. */
  | { readonly kind: "taken" }
  /** `code` is the state after the attempt. */
  | { readonly kind: "wrong"; readonly code: FoundCode }
  /** The code is not valid, or allows no more attempts. */
  | { readonly kind: "refused"; readonly code: FoundCode };

/**
 * Verifies a phone number with the digits from an SMS. Counts the attempt before it compares the digits, so that
 * concurrent attempts cannot exceed the limit.
 *
 * @throws SignetError ABORTED, or for a failure of the database.
 */
export async function verifyPhone(
  parts: FindCodeParts & { readonly keyring: Keyring },
  held: FoundCode,
  digits: string,
  caller?: QueryCaller,
): Promise<VerifyPhoneOutcome> {
  const { db, keyring, clock } = parts;
  const [counted] = await countAttempt(db, { ownerId: held.orgId, codeId: held.id, now: clock() }, caller);
  const found = await findCodeAgain(parts, held, caller);
  if (counted === undefined) return { kind: "refused", code: found };
  if (!isRightDigits(keyring, held.id, digits, counted)) return { kind: "wrong", code: found };
  return await retryWithCode<VerifyPhoneOutcome>(parts, found, caller, async (code) => {
    if (code.state !== "valid" || code.user.phoneVerified) return { kind: "refused", code };
    const payload = { phone: code.recipient ?? "" };
    const [row] = await markVerified(db, {
      ...codeToValues(code),
      identifierKey: toIdentifierKey(code.recipient),
      now: clock(),
      events: eventsToJson([{ type: "user.human.phone.verified", payload }]),
    });
    if (row?.is_taken) return { kind: "taken" };
    return typeof row?.sequence === "bigint" ? { kind: "verified" } : undefined;
  });
}

/** Counts an attempt, unless the code is invalid or outdated, or allows no more attempts. */
const countAttempt = prepareStatement<Pick<UseCodeValues, "ownerId" | "codeId" | "now">, StoredDigits>((db, param) =>
  db
    .updateTable("codes")
    .from("users")
    .set({ attempts: sql`codes.attempts + 1` })
    .where("codes.org_id", "=", param("ownerId", "uuid"))
    .where("codes.id", "=", param("codeId", "uuid"))
    .where("codes.kind", "=", "phone")
    .where(isValid(param("now", "timestamptz")))
    .whereRef("users.org_id", "=", "codes.org_id")
    .whereRef("users.id", "=", "codes.user_id")
    .where(isForCurrentRecipient)
    .where("users.phone_verified", "=", false)
    .where(isActiveUser("users"))
    .where(takesAttempt(param("now", "timestamptz")))
    .returning(["codes.digits_hash", "codes.digits_key"]),
);

const markVerified = prepareMarkVerified("phone");
