import { sql } from "kysely";
import { isUnchangedUser, markCodeUsed, readValidCode, type UseCodeValues } from "../../codes/use-code.ts";
import { NOTHING } from "../../database/command-list.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents } from "../../events/append-events.ts";
import { storeVerifiedPhones } from "../verified-phones.ts";

/**
 * Prepares the statement that uses a code and marks the address or number as verified. It returns no row if either has
 * changed.
 */
export function prepareMarkVerified(kind: "email" | "phone") {
  const verified = kind === "email" ? { email_verified: true } : { phone_verified: true };
  return prepareStatement<UseCodeValues, { sequence: bigint }>((db, param) =>
    db
      .with("code", () => readValidCode(param, kind))
      .with("changed", (query) =>
        query
          .updateTable("users")
          .from("code")
          .set({ ...verified, ...changedColumns(param, "users") })
          .where(isUnchangedUser(param, kind))
          .returning(["users.sequence", "users.changed_at", "users.org_id", "users.id as user_id", "users.phone"]),
      )
      .with("found_by", () => (kind === "phone" ? storeVerifiedPhones(sql.table("changed")) : NOTHING))
      .with("used", () => markCodeUsed(param))
      .with("appended", () => appendEvents(param, "changed"))
      .selectFrom("changed")
      .select("sequence"),
  );
}
