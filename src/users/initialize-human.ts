import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { createFindCode, FoundCode } from "../codes/find-code.ts";
import { markCodeUsed, readValidCode, type UseCodeValues } from "../codes/use-code.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { describePasswordProblem, type Passwords } from "../passwords/passwords.ts";
import { createInTurn } from "./in-turn.ts";

/** In characters (Unicode code points). NIST SP 800-63B asks for eight at least, and for no rules of composition. */
export const SHORTEST_PASSWORD = 8;

/** What is wrong with a password that a user wants to set; undefined where nothing is. */
export function findPasswordProblem(password: string): "too-short" | "too-long" | "not-text" | undefined {
  // What is no UTF-8 in a form has become U+FFFD, and so would be as good as any other that is none.
  if (!password.isWellFormed() || /[\0\ufffd]/.test(password)) return "not-text";
  if ([...password].length < SHORTEST_PASSWORD) return "too-short";
  // Of what bcrypt cannot take, only the length is left.
  return describePasswordProblem(password) === undefined ? undefined : "too-long";
}

/** Whether the user could not sign in without setting a password. */
export function needsPassword({ user }: FoundCode): boolean {
  return !user.hasPassword && !user.hasOtherSignIn;
}

export type InitializeOutcome =
  | { readonly kind: "initialized"; readonly setsPassword: boolean }
  /** Something changed since the link was looked up: this is how it is now. */
  | { readonly kind: "changed"; readonly code: FoundCode };

/**
 * Finishes what an initialization email asks for: the address is verified, and a password is set where none is stored. A
 * stored one is never changed.
 *
 * @returns A function that takes a code that was found valid, and the password or undefined. It throws SignetError:
 *   UNAVAILABLE where too many passwords wait to be hashed, ABORTED, or what the database gives; and TypeError for a
 *   password that `findPasswordProblem` describes as too long or as no text.
 */
export function createInitializeHuman({
  db,
  passwords,
  clock,
  findCode,
}: {
  db: Kysely<Tables>;
  passwords: Passwords;
  clock: Clock;
  findCode: ReturnType<typeof createFindCode>;
}) {
  const markInitialized = prepareMarkInitialized(db);
  const inTurn = createInTurn();

  return async (held: FoundCode, password: string | undefined): Promise<InitializeOutcome> => {
    let code: FoundCode | undefined = held;
    let passwordHash: string | null = null;
    if (password !== undefined && !held.user.hasPassword) {
      const hashed = await inTurn(held.userId, () => hashWhereOfUse(held, password));
      if (hashed.passwordHash === undefined) return { kind: "changed", code: hashed.code };
      ({ code, passwordHash } = hashed);
    }
    const setsPassword = passwordHash !== null;
    for (let attempt = 0; code !== undefined && attempt < 5; attempt++) {
      const isAsBefore = code.state === "valid" && (setsPassword ? !code.user.hasPassword : !needsPassword(code));
      if (!isAsBefore) return { kind: "changed", code };
      const [row] = await markInitialized({
        ownerId: code.orgId,
        aggregateId: code.userId,
        editorId: code.userId,
        codeId: code.id,
        sequence: code.user.sequence,
        passwordHash,
        now: clock(),
        events: eventsToJson(toEvents(code, setsPassword)),
      });
      if (row !== undefined) return { kind: "initialized", setsPassword };
      code = await findCode(code.kind, code.text);
    }
    throw changedMeanwhile();
  };

  /**
   * One password of a user at a time, and none once one is stored: hashing is the dearest thing that a visitor can ask
   * for, and one link could keep all others waiting for minutes.
   */
  async function hashWhereOfUse({ kind, text }: FoundCode, password: string) {
    const code = await findCode(kind, text);
    if (code === undefined) throw changedMeanwhile();
    const isOfUse = code.state === "valid" && !code.user.hasPassword;
    return { code, passwordHash: isOfUse ? await passwords.hash(password) : undefined };
  }
}

function changedMeanwhile(): SignetError {
  return new SignetError("ABORTED", "the user changed meanwhile; try again");
}

function toEvents({ id, user }: FoundCode, setsPassword: boolean): NewEvent[] {
  return [
    ...(user.emailVerified ? [] : [{ type: "user.human.email.verified", payload: { email: user.email } } as const]),
    ...(setsPassword ? [{ type: "user.human.password.changed", payload: {} } as const] : []),
    { type: "user.human.initialized", payload: { codeId: id } },
  ];
}

interface InitializeValues extends EventValues, UseCodeValues {
  passwordHash: string | null;
}

/** Uses the code and changes the user; gives no row where the code is not valid any more, or the user has changed. */
function prepareMarkInitialized(db: Kysely<Tables>) {
  return prepareStatementOn<InitializeValues, { sequence: bigint }>(db, (param) => {
    const [now, hash] = [param("now", "timestamptz"), param("passwordHash", "text")];
    return db
      .with("code", () => readValidCode(param, "initialization"))
      .with("changed", (query) =>
        query
          .updateTable("users")
          .from("code")
          .set({
            email_verified: true,
            // Never another one than none: the link went to an address that nobody had verified.
            password_hash: sql`coalesce(users.password_hash, ${hash})`,
            // Who has just chosen a password need not choose another one.
            password_change_required: sql`users.password_change_required and ${hash} is null`,
            sequence: sql`users.sequence + jsonb_array_length(${param("events", "jsonb")})`,
            changed_at: sql`greatest(users.changed_at, ${now})`,
          })
          .whereRef("users.org_id", "=", "code.org_id")
          .whereRef("users.id", "=", "code.user_id")
          .whereRef("users.email", "=", "code.recipient")
          .where("users.sequence", "=", param("sequence", "bigint"))
          .where(sql<boolean>`(${hash} is null or users.password_hash is null)`)
          .returning(["users.sequence", "users.changed_at"]),
      )
      .with("used", markCodeUsed)
      .with("appended", () => appendEvents(param, "changed"))
      .selectFrom("changed")
      .select("sequence");
  });
}
