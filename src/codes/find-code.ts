import { type Kysely, type Selectable, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { hashSecret, isId } from "../crypto/secrets.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { CodeKind } from "../messages/outbox.ts";
import { isReplaced, sentTimes, wrongSince, wrongToday } from "./other-codes.ts";

/**
 * `outdated`: the address or number that it proves is not the user's any more, and who holds the link may be someone
 * else. `replaced`: a newer one was made.
 */
export type CodeState = "valid" | "used" | "expired" | "replaced" | "outdated";

/** A code whose secret was known, and whose it is. */
export interface FoundCode {
  readonly orgId: string;
  readonly id: string;
  readonly userId: string;
  readonly kind: CodeKind;
  /** `<id>.<secret>`, as the link carries it. */
  readonly text: string;
  readonly state: CodeState;
  /** The address or number that it proves; null for a passkey. */
  readonly recipient: string | null;
  /** How often its digits were tried. */
  readonly attempts: number;
  /** When the last codes of the kind were made for the user, the newest first: those of 24 hours, at most five. */
  readonly sentAt: readonly Date[];
  /** Wrong digits for the user's codes of the kind that were valid in the last 24 hours; when the first of those ends. */
  readonly wrongToday: number;
  readonly wrongSince: Date | null;
  readonly user: CodeUser;
}

export interface CodeUser {
  /** Of the user's last event. A statement that demands it changes nothing once something else has. */
  readonly sequence: bigint;
  readonly userName: string;
  readonly displayName: string;
  readonly preferredLanguage: string | null;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phone: string | null;
  readonly phoneVerified: boolean;
  readonly hasPassword: boolean;
  /** Whether there is a passkey or a linked identity provider. */
  readonly hasOtherSignIn: boolean;
}

/**
 * Finds the code that a link carries as `<id>.<secret>`; undefined for a text that is none, for an unknown id and for a
 * wrong secret. All of them cost the same look-up.
 *
 * The function throws SignetError for a failure of the database.
 */
export function createFindCode({ db, clock }: { db: Kysely<Tables>; clock: Clock }) {
  const findRow = prepareFindRow(db);

  return async (kind: CodeKind, text: string): Promise<FoundCode | undefined> => {
    const { id, secret } = parseCode(text) ?? NO_CODE;
    const now = clock();
    const [row] = await findRow({ id, secretHash: hashSecret(secret), kind, now });
    return row && { ...toFoundCode(row, kind, now), kind, text };
  };
}

const NO_CODE = { id: "00000000-0000-0000-0000-000000000000", secret: "" };

function parseCode(text: string): { id: string; secret: string } | undefined {
  const [id = "", secret = "", ...rest] = text.split(".");
  return rest.length === 0 && isId(id) && /^[\w-]{22}$/.test(secret) ? { id, secret } : undefined;
}

function toFoundCode(row: FoundRow, kind: CodeKind, now: Date): Omit<FoundCode, "kind" | "text"> {
  return {
    orgId: row.org_id,
    id: row.id,
    userId: row.user_id,
    state: stateOf(row, kind, now),
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
      phone: row.phone,
      phoneVerified: row.phone_verified,
      hasPassword: row.has_password,
      hasOtherSignIn: row.has_other_sign_in,
    },
  };
}

function stateOf(row: FoundRow, kind: CodeKind, now: Date): CodeState {
  const current = { initialization: row.email, phone: row.phone, passkey: row.recipient }[kind];
  if (row.recipient !== current) return "outdated";
  if (row.used_at !== null) return "used";
  if (row.is_replaced) return "replaced";
  return row.expires_at !== null && row.expires_at <= now ? "expired" : "valid";
}

interface FindValues {
  id: string;
  secretHash: Buffer;
  kind: CodeKind;
  now: Date;
}

function prepareFindRow(db: Kysely<Tables>) {
  return prepareStatementOn<FindValues, FoundRow>(db, (param) => {
    const now = param("now", "timestamptz");
    return db
      .selectFrom("codes")
      .innerJoin("users", (join) =>
        join.onRef("users.org_id", "=", "codes.org_id").onRef("users.id", "=", "codes.user_id"),
      )
      .select(["codes.org_id", "codes.id", "codes.user_id", "codes.recipient", "codes.expires_at", "codes.used_at"])
      .select(["codes.attempts", "users.sequence", "users.user_name", "users.display_name"])
      .select([
        "users.preferred_language",
        "users.email",
        "users.email_verified",
        "users.phone",
        "users.phone_verified",
      ])
      .select([
        sql<boolean>`users.password_hash is not null`.as("has_password"),
        hasOtherSignIn.as("has_other_sign_in"),
        isReplaced.as("is_replaced"),
        sentTimes(now).as("sent_at"),
        wrongToday(now).as("wrong_today"),
        wrongSince(now).as("wrong_since"),
      ])
      .where("users.kind", "=", "human")
      .where("codes.id", "=", param("id", "uuid"))
      .where("codes.secret_hash", "=", param("secretHash", "bytea"))
      .where("codes.kind", "=", param("kind", "text"));
  });
}

const hasOtherSignIn = sql<boolean>`(
  exists (select from passkeys where passkeys.org_id = users.org_id and passkeys.user_id = users.id)
  or exists (select from user_idp_links as link where link.org_id = users.org_id and link.user_id = users.id))`;

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
  | "phone"
  | "phone_verified"
>;

interface FoundRow extends CodeColumns, UserColumns {
  readonly has_password: boolean;
  readonly has_other_sign_in: boolean;
  readonly is_replaced: boolean;
  readonly sent_at: Date[];
  readonly wrong_today: bigint;
  readonly wrong_since: Date | null;
}
