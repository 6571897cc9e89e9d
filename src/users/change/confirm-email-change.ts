import type { Caller } from "../../call.ts";
import type { FindCodeParts, FoundCode } from "../../codes/find-code.ts";
import { retryWithCode } from "../../codes/retry-with-code.ts";
import { codeToValues, markCodeUsed, readValidCode, type UseCodeValues } from "../../codes/use-code.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../../events/append-events.ts";
import { type NoticeValues, queueNotices, verifiedEmail } from "../../messages/notices.ts";
import type { Outbox } from "../../messages/outbox.ts";

export type EmailChangeOutcome =
  | { readonly kind: "confirmed" }
  /** The code or the user has changed since the code was found; `code` is the current state. */
  | { readonly kind: "changed"; readonly code: FoundCode };

/**
 * Replaces the user's address with the one that the link of `requestEmailChange` was sent to, which is thereby verified.
 *
 * @param held A valid code.
 * @throws SignetError ABORTED, or for a failure of the database.
 */
export async function confirmEmailChange(
  parts: FindCodeParts & { readonly outbox: Outbox },
  held: FoundCode,
  caller?: Caller,
): Promise<EmailChangeOutcome> {
  const { db, clock, outbox } = parts;
  return await retryWithCode<EmailChangeOutcome>(parts, held, caller, async (code) => {
    if (code.state !== "valid") return { kind: "changed", code };
    const email = code.recipient ?? "";
    const events = eventsToJson([
      { type: "user.human.email.changed", payload: { email } },
      { type: "user.human.email.verified", payload: { email } },
    ]);
    // To the previous address, whose owner may not have made the change.
    const notices = outbox.notices("email-changed", { isOwn: true, userAgent: caller?.userAgent });
    const values = { ...codeToValues(code), now: clock(), events, notices: JSON.stringify(notices) };
    const [row] = await storeEmail(db, values, caller);
    if (row === undefined) return undefined;
    outbox.announce([], notices);
    return { kind: "confirmed" };
  });
}

/** Returns no row if the code is no longer valid, or the user has changed since the code was found. */
const storeEmail = prepareStatement<UseCodeValues & NoticeValues, { sequence: bigint }>((db, param) =>
  db
    .with("code", () => readValidCode(param, "email-change"))
    .with("former", (query) =>
      query
        .selectFrom("users")
        .select(verifiedEmail.as("verified_email"))
        .where("users.org_id", "=", param("ownerId", "uuid"))
        .where("users.id", "=", param("aggregateId", "uuid")),
    )
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from(["code", "former"])
        .set((eb) => ({
          email: eb.ref("code.recipient"),
          email_verified: true,
          ...changedColumns(param, "users"),
        }))
        .where("users.org_id", "=", param("ownerId", "uuid"))
        .whereRef("users.id", "=", "code.user_id")
        .where("users.state", "=", "active")
        .where("users.sequence", "=", param("sequence", "bigint"))
        .returning(["users.sequence", "users.changed_at", "former.verified_email"]),
    )
    .with("used", () => markCodeUsed(param))
    .with("appended", () => appendEvents(param, "changed"))
    .with("notified", () => queueNotices(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
