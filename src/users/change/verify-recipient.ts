import { sql } from "kysely";
import type { QueryCaller } from "../../call.ts";
import { takesAttempt } from "../../codes/attempts.ts";
import { isForCurrentRecipient, isValid } from "../../codes/conditions.ts";
import { isRightDigits, type StoredDigits } from "../../codes/digits.ts";
import { type FindCodeParts, type FoundCode, findCodeAgain } from "../../codes/find-code.ts";
import { retryWithCode } from "../../codes/retry-with-code.ts";
import {
  codeToValues,
  isUnchangedUser,
  markCodeUsed,
  readValidCode,
  type UseCodeValues,
} from "../../codes/use-code.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { isActiveUser } from "../../database/active.ts";
import { NOTHING } from "../../database/command-list.ts";
import { type Param, prepareStatement } from "../../database/prepare.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../../events/append-events.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { isNameOfOther } from "../found-by-other.ts";
import { storeVerifiedPhones } from "../verified-phones.ts";

type Verified =
  | { readonly kind: "verified" }
  /** It is the user name of another user. */
  | { readonly kind: "taken" };

/**
 * Verifies the address that a link was sent to.
 *
 * @param held A valid code.
 * @returns `changed`: the code or the user has changed since the code was found; `code` is the current state.
 * @throws SignetError ABORTED, or for a failure of the database.
 */
export async function verifyEmail(
  parts: FindCodeParts,
  held: FoundCode,
  caller?: QueryCaller,
): Promise<Verified | { readonly kind: "changed"; readonly code: FoundCode }> {
  return await retryWithCode(parts, held, caller, async (code) => {
    if (code.state !== "valid" || code.user.emailVerified) return { kind: "changed", code } as const;
    const { email } = code.user;
    const events = eventsToJson([{ type: "user.human.email.verified", payload: { email } }]);
    return toVerified(await markEmail(parts.db, { ...toValues(parts, code, email), events }, caller));
  });
}

type VerifyPhoneOutcome =
  | Verified
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
    const phone = code.recipient ?? "";
    const events = eventsToJson([{ type: "user.human.phone.verified", payload: { phone } }]);
    return toVerified(await markPhone(db, { ...toValues(parts, code, phone), events }));
  });
}

function toValues({ clock }: FindCodeParts, code: FoundCode, recipient: string) {
  return { ...codeToValues(code), identifierKey: toIdentifierKey(recipient), now: clock() };
}

/** Undefined if the code or the user has changed. */
function toVerified([row]: readonly MarkedVerified[]): Verified | undefined {
  if (row?.is_taken) return { kind: "taken" };
  return typeof row?.sequence === "bigint" ? { kind: "verified" } : undefined;
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

/** The values of a statement that verifies an address or a number. */
export interface MarkVerifiedValues extends UseCodeValues {
  /** As `toIdentifierKey` returns it. */
  identifierKey: string;
}

/** An address or a number that is verified, in the form in which it is compared with names. */
export function toIdentifierKey(recipient: string): string {
  return userNameKey(recipient);
}

/** The row of a statement that verifies an address or a number. */
export interface MarkedVerified {
  /** Null if nothing has changed. */
  readonly sequence: bigint | null;
  /** Whether it is the name of another user: see `isNameOfOther`. */
  readonly is_taken: boolean;
}

/** The part `held`, with the unchanged user of the part `code`, and whether the user cannot verify the address or number. */
export function holdRecipient<Values extends MarkVerifiedValues>(param: Param<Values>, kind: "email" | "phone") {
  const key = param("identifierKey", "text");
  const getter = { orgId: param("ownerId", "uuid"), userId: sql.ref<string>("users.id") };
  return sql<{ is_taken: boolean }>`(
    select not ${sql.ref(`users.${kind}_verified`)} and ${isNameOfOther(key, kind, getter)} as is_taken
    from users, code where ${isUnchangedUser(param, kind)})`;
}

/** Returns no row, or one without a sequence, if the code or the address or number has changed. */
function prepareMarkVerified(kind: "email" | "phone") {
  const verified = kind === "email" ? { email_verified: true } : { phone_verified: true };
  return prepareStatement<MarkVerifiedValues, MarkedVerified>((db, param) =>
    db
      .with("code", () => readValidCode(param, kind))
      .with("held", () => holdRecipient(param, kind))
      .with("changed", (query) =>
        query
          .updateTable("users")
          .from(["code", "held"])
          .set({ ...verified, ...changedColumns(param, "users") })
          .where(isUnchangedUser(param, kind))
          .where(sql<boolean>`not held.is_taken`)
          .returning(["users.sequence", "users.changed_at", "users.org_id", "users.id as user_id", "users.phone"]),
      )
      .with("found_by", () => (kind === "phone" ? storeVerifiedPhones(sql.table("changed")) : NOTHING))
      .with("used", () => markCodeUsed(param))
      .with("appended", () => appendEvents(param, "changed"))
      .selectFrom("held")
      .leftJoin("changed", (join) => join.onTrue())
      .select(["held.is_taken", "changed.sequence"]),
  );
}

const markEmail = prepareMarkVerified("email");
const markPhone = prepareMarkVerified("phone");
