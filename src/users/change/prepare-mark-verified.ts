import { sql } from "kysely";
import { isUnchangedUser, markCodeUsed, readValidCode, type UseCodeValues } from "../../codes/use-code.ts";
import { NOTHING } from "../../database/command-list.ts";
import { type Param, prepareStatement } from "../../database/prepare.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents } from "../../events/append-events.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { isNameOfOther } from "../found-by-other.ts";
import { storeVerifiedPhones } from "../verified-phones.ts";

/** The values of a statement that verifies an address or a number. */
export interface MarkVerifiedValues extends UseCodeValues {
  /** As `toIdentifierKey` returns it. */
  identifierKey: string;
}

/** An address or a number that is verified, in the form in which it is compared with names. */
export function toIdentifierKey(recipient: string | null): string {
  return userNameKey(recipient ?? "");
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

/**
 * Prepares the statement that uses a code and marks the address or number as verified. It returns no row, or one without a
 * sequence, if either has changed.
 */
export function prepareMarkVerified(kind: "email" | "phone") {
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
