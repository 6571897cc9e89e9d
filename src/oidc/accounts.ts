import type { Kysely } from "kysely";
import type { Account } from "oidc-provider";
import { API_SCOPE } from "../access/find-principal.ts";
import { isId } from "../crypto/secrets.ts";
import { isActiveUser } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";

/** The scopes of tokens. */
export const SCOPES = ["openid", "profile", "email", "phone", "offline_access", API_SCOPE];

/** The claims of each scope (OpenID Connect Core 1.0, section 5.4). */
export const CLAIMS = {
  // The last two describe the sign-in, and are only in the ID token.
  openid: ["sub", "auth_time", "amr"],
  profile: ["name", "given_name", "family_name", "nickname", "preferred_username", "gender", "locale", "updated_at"],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
};

/** A user who may sign in. */
export interface AccountRow {
  readonly id: string;
  readonly orgId: string;
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly nickName: string | null;
  readonly displayName: string;
  readonly preferredLanguage: string | null;
  /** The number of a `signet.v1.Gender` value. */
  readonly gender: number;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phone: string | null;
  readonly phoneVerified: boolean;
  readonly changedAt: Date;
}

/** Finds an active human user by id, the claim `sub`. */
export async function findAccountRow(db: Database, sub: string): Promise<AccountRow | undefined> {
  if (!isId(sub)) return undefined;
  const [row] = await selectAccount(db, { userId: sub });
  return row;
}

/** The user for the provider, with all claims; the provider removes claims that were not requested. */
export function toAccount(row: AccountRow): Account {
  return {
    accountId: row.id,
    orgId: row.orgId,
    claims: () => ({
      sub: row.id,
      name: row.displayName,
      given_name: row.firstName,
      family_name: row.lastName,
      nickname: row.nickName ?? undefined,
      preferred_username: row.userName,
      gender: GENDERS[row.gender],
      locale: row.preferredLanguage ?? undefined,
      updated_at: Math.floor(row.changedAt.getTime() / 1_000),
      email: row.email,
      email_verified: row.emailVerified,
      phone_number: row.phone ?? undefined,
      phone_number_verified: row.phone === null ? undefined : row.phoneVerified,
    }),
  };
}

/** By `signet.v1.Gender` number. An unspecified gender has no claim. */
const GENDERS: Readonly<Record<number, string>> = { 1: "female", 2: "male", 3: "diverse" };

const COLUMNS = [
  "users.id",
  "users.org_id as orgId",
  "users.user_name as userName",
  "users.first_name as firstName",
  "users.last_name as lastName",
  "users.nick_name as nickName",
  "users.display_name as displayName",
  "users.preferred_language as preferredLanguage",
  "users.gender",
  "users.email",
  "users.email_verified as emailVerified",
  "users.phone",
  "users.phone_verified as phoneVerified",
  "users.changed_at as changedAt",
] as const;

/** The query for users who may sign in. */
export function selectAccounts(db: Kysely<Tables>) {
  return db.selectFrom("users").select(COLUMNS).where("users.kind", "=", "human").where(isActiveUser("users"));
}

const selectAccount = prepareStatement<{ userId: string }, AccountRow>((db, param) =>
  selectAccounts(db).where("users.id", "=", param("userId", "uuid")).$castTo<AccountRow>(),
);
