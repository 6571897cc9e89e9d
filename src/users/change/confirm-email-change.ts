import { sql } from "kysely";
import type { Caller } from "../../call.ts";
import type { CodeUser, FindCodeParts, FoundCode } from "../../codes/find-code.ts";
import { retryWithCode } from "../../codes/retry-with-code.ts";
import { codeToValues, markCodeUsed, readValidCode, type UseCodeValues } from "../../codes/use-code.ts";
import { isActiveUser } from "../../database/active.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { SignetError } from "../../errors.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../../events/append-events.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import { userNameKey } from "../../fields/user-name.ts";
import { type NoticeValues, queueNotices, verifiedEmail } from "../../messages/notices.ts";
import type { Outbox } from "../../messages/outbox.ts";
import { isFoundByOther, isNameOfOther, type NewName, toNewName } from "../found-by-other.ts";

type EmailChangeOutcome =
  | { readonly kind: "confirmed"; readonly userName: "unchanged" | "changed" | "taken" }
  /** The address is the user name of another user. */
  | { readonly kind: "taken" }
  /** The code or the user has changed since the code was found; `code` is the current state. */
  | { readonly kind: "changed"; readonly code: FoundCode };

/** Whether the user name is the address, so that both can change together. */
export function isNamedByAddress({ userName, email }: Pick<CodeUser, "userName" | "email">): boolean {
  return userNameKey(userName) === userNameKey(email);
}

/**
 * Replaces the user's address with the one that the link of `requestEmailChange` was sent to, which is thereby verified.
 *
 * @param held A valid code.
 * @param changesName Whether the address also becomes the user name, if the replaced one is the user name. If it is taken,
 *   or another user signs in with it, only the address changes.
 * @throws SignetError ABORTED, or for a failure of the database.
 */
export async function confirmEmailChange(
  parts: FindCodeParts & { readonly outbox: Outbox },
  held: FoundCode,
  changesName: boolean,
  caller?: Caller,
): Promise<EmailChangeOutcome> {
  const { db, clock, outbox } = parts;
  return await retryWithCode<EmailChangeOutcome>(parts, held, caller, async (code) => {
    if (code.state !== "valid") return { kind: "changed", code };
    const email = code.recipient ?? "";
    // To the previous address, whose owner may not have made the change.
    const notices = outbox.notices("email-changed", { isOwn: true, userAgent: caller?.userAgent });
    const store = async (renames: boolean) => {
      const events = eventsToJson(toEvents(email, renames));
      const values = { ...codeToValues(code), ...toNewName(email), renames, events, now: clock() };
      const [row] = await storeEmail(db, { ...values, notices: JSON.stringify(notices) }, caller).catch(findTakenName);
      return row;
    };
    const renames = changesName && isNamedByAddress(code.user);
    const first = await store(renames);
    const isTaken = first?.is_taken === true;
    const row = isTaken ? await store(false) : first;
    if (row?.is_name) return { kind: "taken" };
    if (typeof row?.sequence !== "bigint") return undefined;
    outbox.announce([], notices);
    return { kind: "confirmed", userName: isTaken ? "taken" : renames ? "changed" : "unchanged" };
  });
}

function toEvents(email: string, renames: boolean): NewEvent[] {
  return [
    { type: "user.human.email.changed", payload: { email } },
    { type: "user.human.email.verified", payload: { email } },
    ...(renames ? [{ type: "user.username.changed", payload: { userName: email } } as const] : []),
  ];
}

interface StoredEmail {
  /** Null if nothing has changed. */
  readonly sequence: bigint | null;
  /** Whether another user has the address as the name, or is found by it, so it cannot become the name. */
  readonly is_taken: boolean;
  /** Whether it cannot become the address either: see `isNameOfOther`. */
  readonly is_name: boolean;
}

function findTakenName(error: unknown): StoredEmail[] {
  if (error instanceof SignetError && error.reason === "USER_NAME_TAKEN") {
    return [{ sequence: null, is_taken: true, is_name: false }];
  }
  throw error;
}

interface EmailValues extends UseCodeValues, NoticeValues, NewName {
  renames: boolean;
}

/** Changes nothing if the code is no longer valid, the user has changed since the code was found, the name is taken, or the address is the name of another user. */
const storeEmail = prepareStatement<EmailValues, StoredEmail>((db, param) => {
  const renames = param("renames", "boolean");
  const getter = { orgId: param("ownerId", "uuid"), userId: sql.ref<string>("users.id") };
  return db
    .with("code", () => readValidCode(param, "email-change"))
    .with("former", (query) =>
      query
        .selectFrom("users")
        .select(verifiedEmail.as("verified_email"))
        .select(
          sql<boolean>`${renames} and ${isFoundByOther(param, { orgId: param("ownerId", "uuid") })}`.as("is_taken"),
        )
        .select(
          sql<boolean>`not ${renames} and ${isNameOfOther(param("userNameKey", "text"), "email", getter)}`.as(
            "is_name",
          ),
        )
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
          user_name: sql`case when ${renames} then ${param("userName", "text")} else users.user_name end`,
          user_name_key: sql`case when ${renames} then ${param("userNameKey", "text")} else users.user_name_key end`,
          ...changedColumns(param, "users"),
        }))
        .where("users.org_id", "=", param("ownerId", "uuid"))
        .whereRef("users.id", "=", "code.user_id")
        .where(isActiveUser("users"))
        .where("users.sequence", "=", param("sequence", "bigint"))
        .where(sql<boolean>`not former.is_taken and not former.is_name`)
        .returning(["users.sequence", "users.changed_at", "former.verified_email"]),
    )
    .with("used", () => markCodeUsed(param))
    .with("appended", () => appendEvents(param, "changed"))
    .with("notified", () => queueNotices(param, "changed"))
    .selectFrom("former")
    .leftJoin("changed", (join) => join.onTrue())
    .select(["former.is_taken", "former.is_name", "changed.sequence"]);
});
