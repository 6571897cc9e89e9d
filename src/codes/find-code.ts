import { type Selectable, sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Clock } from "../clock.ts";
import { hashSecret, NIL_ID } from "../crypto/secrets.ts";
import { STATE_IN_ORG } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { wrongSince, wrongToday } from "./attempts.ts";
import { isForCurrentRecipient, isReplaced } from "./conditions.ts";
import type { CodeKind } from "./kinds.ts";
import { parseCode } from "./link.ts";
import { sentTimes } from "./replace-limits.ts";

/**
 * `outdated`: the user's address or number has changed since, so the link's holder may be someone else. `blocked`: the
 * user is deactivated or locked. `replaced`: a newer code was issued.
 */
export type CodeState = "valid" | "used" | "expired" | "replaced" | "outdated" | "blocked";

/** A code whose secret was correct, and its user. */
export interface FoundCode {
  readonly orgId: string;
  readonly id: string;
  readonly userId: string;
  readonly kind: CodeKind;
  /** `<id>.<secret>`, as in the link. */
  readonly text: string;
  readonly state: CodeState;
  /** The address or number that it verifies; null for a passkey. */
  readonly recipient: string | null;
  /** The number of attempts to enter its digits. */
  readonly attempts: number;
  /** When codes of this kind were issued to the user in the last 24 hours: at most five, newest first. */
  readonly sentAt: readonly Date[];
  /** Wrong attempts for the user's codes of this kind that were valid in the last 24 hours. */
  readonly wrongToday: number;
  /** When the first of the codes with wrong attempts ends or ended; null if there is none. */
  readonly wrongSince: Date | null;
  readonly user: CodeUser;
}

export interface CodeUser {
  /**
   * The sequence of the user's last event. A statement that requires it has no effect if the user has changed since.
   */
  readonly sequence: bigint;
  readonly userName: string;
  readonly displayName: string;
  readonly preferredLanguage: string | null;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Whether the user has completed the requested initialization. */
  readonly initialized: boolean;
  readonly phone: string | null;
  readonly phoneVerified: boolean;
  readonly hasPassword: boolean;
  /** Whether the user has a passkey or a linked identity provider. */
  readonly hasOtherSignIn: boolean;
}

/** The dependencies of `findCode`. */
export interface FindCodeParts {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Finds the code that a link carries as `<id>.<secret>`. Malformed codes, unknown ids and wrong secrets cost the same
 * query.
 *
 * @returns Undefined if there is no such code.
 * @throws SignetError for a failure of the database.
 */
export async function findCode(
  { db, clock }: FindCodeParts,
  kind: CodeKind,
  text: string,
  caller?: QueryCaller,
): Promise<FoundCode | undefined> {
  const { id, secret } = parseCode(text) ?? NO_CODE;
  const now = clock();
  const [row] = await selectCode(db, { id, secretHash: hashSecret(secret), kind, now }, caller);
  return row && { ...toFoundCode(row, now), kind, text };
}

/**
 * Reads a found code again.
 *
 * @throws SignetError ABORTED if it was deleted; also if the database fails.
 */
export async function findCodeAgain(
  parts: FindCodeParts,
  { kind, text }: FoundCode,
  caller: QueryCaller | undefined,
): Promise<FoundCode> {
  const code = await findCode(parts, kind, text, caller);
  if (code === undefined) throw new SignetError("ABORTED", "the code is gone");
  return code;
}

const NO_CODE = { id: NIL_ID, secret: "" };

function toFoundCode(row: FoundRow, now: Date): Omit<FoundCode, "kind" | "text"> {
  return {
    orgId: row.org_id,
    id: row.id,
    userId: row.user_id,
    state: stateOf(row, now),
    recipient: row.recipient,
    attempts: row.attempts,
    sentAt: row.sent_at,
    wrongToday: Number(row.wrong_today),
    wrongSince: row.wrong_since,
    user: {
      sequence: row.sequence,
      userName: row.user_name,
      displayName: row.display_name ?? "",
      preferredLanguage: row.preferred_language,
      email: row.email ?? "",
      emailVerified: row.email_verified,
      initialized: row.initialized,
      phone: row.phone,
      phoneVerified: row.phone_verified,
      hasPassword: row.has_password,
      hasOtherSignIn: row.has_other_sign_in,
    },
  };
}

function stateOf(row: FoundRow, now: Date): CodeState {
  if (row.is_outdated) return "outdated";
  if (row.user_state !== "active") return "blocked";
  if (row.used_at !== null) return "used";
  if (row.is_replaced) return "replaced";
  return row.expires_at !== null && row.expires_at <= now ? "expired" : "valid";
}

const hasOtherSignIn = sql<boolean>`(
  exists (select from passkeys where passkeys.org_id = users.org_id and passkeys.user_id = users.id)
  or exists (select from user_idp_links as link where link.org_id = users.org_id and link.user_id = users.id))`;

interface FindValues {
  id: string;
  secretHash: Buffer;
  kind: CodeKind;
  now: Date;
}

const selectCode = prepareStatement<FindValues, FoundRow>((db, param) => {
  const now = param("now", "timestamptz");
  return db
    .selectFrom("codes")
    .innerJoin("users", (join) =>
      join.onRef("users.org_id", "=", "codes.org_id").onRef("users.id", "=", "codes.user_id"),
    )
    .select(["codes.org_id", "codes.id", "codes.user_id", "codes.recipient", "codes.expires_at", "codes.used_at"])
    .select(["codes.attempts", "users.sequence", "users.user_name", "users.display_name"])
    .select(STATE_IN_ORG.as("user_state"))
    .select([
      "users.preferred_language",
      "users.email",
      "users.email_verified",
      "users.phone",
      "users.phone_verified",
      "users.initialized",
    ])
    .select([
      sql<boolean>`users.password_hash is not null`.as("has_password"),
      hasOtherSignIn.as("has_other_sign_in"),
      isReplaced.as("is_replaced"),
      sql<boolean>`not ${isForCurrentRecipient}`.as("is_outdated"),
      sentTimes(now).as("sent_at"),
      wrongToday(now).as("wrong_today"),
      wrongSince(now).as("wrong_since"),
    ])
    .where("users.kind", "=", "human")
    .where("codes.id", "=", param("id", "uuid"))
    .where("codes.secret_hash", "=", param("secretHash", "bytea"))
    .where("codes.kind", "=", param("kind", "text"));
});

type CodeColumns = Pick<
  Selectable<Tables["codes"]>,
  "org_id" | "id" | "user_id" | "recipient" | "expires_at" | "used_at" | "attempts"
>;

type UserColumns = Pick<
  Selectable<Tables["users"]>,
  | "sequence"
  | "user_name"
  | "display_name"
  | "preferred_language"
  | "email"
  | "email_verified"
  | "initialized"
  | "phone"
  | "phone_verified"
>;

interface FoundRow extends CodeColumns, UserColumns {
  readonly user_state: Selectable<Tables["users"]>["state"];
  readonly has_password: boolean;
  readonly has_other_sign_in: boolean;
  readonly is_replaced: boolean;
  readonly is_outdated: boolean;
  readonly sent_at: Date[];
  readonly wrong_today: bigint;
  readonly wrong_since: Date | null;
}
