import { sql } from "kysely";
import type { Caller } from "../../call.ts";
import type { FoundCode } from "../../codes/find-code.ts";
import { retryWithCode } from "../../codes/retry-with-code.ts";
import { codeToValues, isUnchangedUser, markCodeUsed, readValidCode } from "../../codes/use-code.ts";
import { prepareStatement } from "../../database/prepare.ts";
import { changedColumns } from "../../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../../events/append-events.ts";
import type { NewEvent } from "../../events/catalogue.ts";
import {
  holdRecipient,
  type MarkedVerified,
  type MarkVerifiedValues,
  toIdentifierKey,
} from "../change/verify-recipient.ts";
import { type HashChosenPasswordParts, hashChosenPassword } from "./hash-chosen-password.ts";

type InitializeOutcome =
  | { readonly kind: "initialized"; readonly setsPassword: boolean; readonly sequence: bigint }
  /** The address is the user name of another user. */
  | { readonly kind: "taken" }
  /** The code or the user has changed since the code was found; `code` is the current state. */
  | { readonly kind: "changed"; readonly code: FoundCode };

/**
 * Completes an initialization email: marks the address as verified, and sets the password if none is stored. A stored
 * password is never changed.
 *
 * @param held A valid code.
 * @throws SignetError UNAVAILABLE if too many passwords wait to be hashed, ABORTED, or for a failure of the database.
 * @throws TypeError for a password that `findPasswordProblem` rejects as too long or not well-formed.
 */
export async function initializeHuman(
  parts: HashChosenPasswordParts,
  held: FoundCode,
  password: string | undefined,
  caller?: Caller,
): Promise<InitializeOutcome> {
  let code = held;
  let passwordHash: string | null = null;
  if (password !== undefined && !held.user.hasPassword) {
    const hashed = await hashChosenPassword(parts, held, password, caller, ({ user }) => !user.hasPassword);
    if (hashed.passwordHash === undefined) return { kind: "changed", code: hashed.code };
    ({ code, passwordHash } = hashed);
  }
  const setsPassword = passwordHash !== null;
  return await retryWithCode<InitializeOutcome>(parts, code, caller, async (code) => {
    const isUsable = code.state === "valid" && (setsPassword ? !code.user.hasPassword : !needsPassword(code));
    if (!isUsable) return { kind: "changed", code };
    const [row] = await markInitialized(parts.db, {
      ...codeToValues(code),
      passwordHash,
      identifierKey: toIdentifierKey(code.user.email),
      now: parts.clock(),
      events: eventsToJson(toEvents(code, setsPassword)),
    });
    if (row?.is_taken) return { kind: "taken" };
    return typeof row?.sequence === "bigint"
      ? { kind: "initialized", setsPassword, sequence: row.sequence }
      : undefined;
  });
}

/** Whether the user needs a password to sign in, and has none. */
export function needsPassword({ user }: FoundCode): boolean {
  return !user.hasPassword && !user.hasOtherSignIn;
}

function toEvents({ id, user }: FoundCode, setsPassword: boolean): NewEvent[] {
  return [
    ...(user.emailVerified ? [] : [{ type: "user.human.email.verified", payload: { email: user.email } } as const]),
    ...(setsPassword ? [{ type: "user.human.password.changed", payload: {} } as const] : []),
    { type: "user.human.initialized", payload: { codeId: id } },
  ];
}

interface InitializeValues extends MarkVerifiedValues {
  passwordHash: string | null;
}

/** Uses the code and updates the user. Returns no row if the code is no longer valid, and no sequence if the user has changed. */
const markInitialized = prepareStatement<InitializeValues, MarkedVerified>((db, param) => {
  const hash = param("passwordHash", "text");
  return db
    .with("code", () => readValidCode(param, "initialization"))
    .with("held", () => holdRecipient(param, "email"))
    .with("changed", (query) =>
      query
        .updateTable("users")
        .from(["code", "held"])
        .set({
          email_verified: true,
          // Never replace a stored password: the link went to an unverified address.
          password_hash: sql`coalesce(users.password_hash, ${hash})`,
          password_changed_at: sql`case when ${hash} is null then users.password_changed_at
            else ${param("now", "timestamptz")} end`,
          initialized: true,
          // A user who has just chosen a password need not change it.
          password_change_required: sql`users.password_change_required and ${hash} is null`,
          ...changedColumns(param, "users"),
        })
        .where(isUnchangedUser(param, "email"))
        .where(sql<boolean>`not held.is_taken`)
        .where(sql<boolean>`(${hash} is null or users.password_hash is null)`)
        .returning(["users.sequence", "users.changed_at"]),
    )
    .with("used", () => markCodeUsed(param))
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("held")
    .leftJoin("changed", (join) => join.onTrue())
    .select(["held.is_taken", "changed.sequence"]);
});
