import { sql } from "kysely";
import type { Caller } from "../../call.ts";
import { endOwnLinks } from "../../codes/end-codes.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { retryWithCode } from "../../codes/retry-with-code.ts";
import { codeToValues, markCodeUsed, readValidCode, type UseCodeValues } from "../../codes/use-code.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { changedColumns, changeTime } from "../../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../../events/append-events.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import { type NoticeValues, queueNotices, verifiedEmail } from "../../messages/notices.ts";
import type { Outbox } from "../../messages/outbox.ts";
import {
  type AnnounceEnds,
  type EndedSession,
  endedSessionsIn,
  endSessions,
  SESSIONS_ENDED,
} from "../change/end-sessions.ts";
import { type HashChosenPasswordParts, hashChosenPassword } from "./hash-chosen-password.ts";

type ResetPasswordOutcome =
  | { readonly kind: "reset" }
  /** The code or the user has changed since the code was found; `code` is the current state. */
  | { readonly kind: "changed"; readonly code: FoundCode };

interface ResetPasswordParts extends HashChosenPasswordParts {
  readonly outbox: Outbox;
  readonly announceEnds?: AnnounceEnds | undefined;
}

/**
 * Sets the password chosen by the holder of a reset link, and uses up the code. A notice reports the
 * change.
 *
 * @param held A valid code.
 * @throws SignetError UNAVAILABLE if too many passwords wait to be hashed, ABORTED, or for a failure of the database.
 * @throws TypeError for a password that `findPasswordProblem` rejects as too long or not well-formed.
 */
export async function resetPassword(
  parts: ResetPasswordParts,
  held: FoundCode,
  password: string,
  caller?: Caller,
): Promise<ResetPasswordOutcome> {
  const { db, clock, outbox } = parts;
  const { code: current, passwordHash } = await hashChosenPassword(parts, held, password, caller);
  if (passwordHash === undefined) return { kind: "changed", code: current };
  return await retryWithCode<ResetPasswordOutcome>(parts, current, caller, async (code) => {
    if (code.state !== "valid") return { kind: "changed", code };
    const notices = outbox.notices("password-changed", { isOwn: true, userAgent: caller?.userAgent });
    const [row] = await storePassword(db, {
      ...codeToValues(code),
      passwordHash,
      now: clock(),
      events: eventsToJson(toEvents(code)),
      notices: JSON.stringify(notices),
    });
    if (row === undefined) return undefined;
    outbox.announce([], notices);
    parts.announceEnds?.(row.ended_sessions);
    return { kind: "reset" };
  });
}

function toEvents({ id, user }: FoundCode): NewEvent[] {
  // With a verified address, only a password is missing.
  const isCompleted = user.emailVerified && !user.initialized;
  return [
    { type: "user.human.password.changed", payload: {} },
    ...(isCompleted ? [{ type: "user.human.initialized", payload: { codeId: id } } as const] : []),
  ];
}

interface StorePasswordValues extends UseCodeValues, NoticeValues {
  passwordHash: string;
}

/**
 * Uses the code, sets the password, and ends the user's sessions. Returns no row if the code is no longer valid or the
 * user has changed.
 */
const storePassword = prepareStatement<StorePasswordValues, { sequence: bigint; ended_sessions: EndedSession[] }>(
  (db, param) =>
    db
      .with("code", () => readValidCode(param, "password"))
      .with("changed", (query) =>
        query
          .updateTable("users")
          .from("code")
          .set({
            password_hash: param("passwordHash", "text"),
            password_changed_at: changeTime(param, "users"),
            // A user who has just chosen a password need not change it.
            password_change_required: false,
            initialized: sql<boolean>`users.initialized or users.email_verified`,
            ...changedColumns(param, "users"),
            ...SESSIONS_ENDED,
          })
          // The code was found with the user's current recipient, and the user has not changed since.
          .where("users.org_id", "=", param("ownerId", "uuid"))
          .whereRef("users.id", "=", "code.user_id")
          .where("users.sequence", "=", param("sequence", "bigint"))
          .returning(["users.sequence", "users.changed_at", verifiedEmail.as("verified_email")]),
      )
      .with("used", () => markCodeUsed(param))
      .with("ended", () => endSessions(param, "changed"))
      .with("ended_links", () => endOwnLinks(param, "changed"))
      .with("appended", () => appendEvents(param, "changed"))
      .with("notified", () => queueNotices(param, "changed"))
      .selectFrom("changed")
      .select(["sequence", endedSessionsIn("ended", param("aggregateId", "uuid")).as("ended_sessions")]),
);
