import { type Expression, type Kysely, sql } from "kysely";
import type { Account } from "oidc-provider";
import { API_SCOPE } from "../access/find-principal.ts";
import { rolesInApp } from "../apps/app-roles.ts";
import { isId } from "../crypto/secrets.ts";
import { isActiveUser } from "../database/active.ts";
import { prepareLookUp } from "../database/prepare-look-up.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { Tables } from "../database/tables.ts";
import { isNoAddress } from "../fields/no-address.ts";
import { subjectOf } from "../users/subjects.ts";
import {
  ADDRESS_KEYS,
  metadataFor,
  PROFILE_KEYS,
  readText,
  type StoredMetadata,
  toMetadataClaim,
  toStandardClaims,
} from "./metadata-claims.ts";

/** The scopes of tokens. */
export const SCOPES = ["openid", "profile", "email", "phone", "address", "offline_access", API_SCOPE];

/** The claims of each scope (OpenID Connect Core 1.0, section 5.4). */
export const CLAIMS = {
  // `auth_time`, `acr` and `amr` describe the sign-in, and are only in the ID token.
  openid: ["sub", "auth_time", "acr", "amr", "roles"],
  profile: [
    ...["name", "given_name", "family_name", "nickname", "preferred_username", "gender", "locale", "updated_at"],
    ...PROFILE_KEYS,
    "metadata",
  ],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
  address: ADDRESS_KEYS,
};

/** A user who may sign in. */
export interface AccountRow {
  readonly id: string;
  /** The `sub` that applications see instead of the id; null if they see the id. */
  readonly subject: string | null;
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
  /** The roles of the user in the application; null if the application has none. */
  readonly roles: readonly string[] | null;
  /** The metadata that the application gets; null without an application. */
  readonly metadata: StoredMetadata | null;
}

/**
 * Finds an active human user by id.
 *
 * @param clientId The client id of the application that asks.
 */
export async function findAccountRow(
  runTogether: RunTogether,
  userId: string,
  clientId = "",
): Promise<AccountRow | undefined> {
  if (!isId(userId)) return undefined;
  return await runTogether(FIND_ACCOUNT, { userId, appId: isId(clientId) ? clientId : null });
}

/** The user for the provider, with all claims; the provider removes claims that were not requested. */
export function toAccount(row: AccountRow): Account {
  const sub = row.subject ?? row.id;
  return {
    accountId: row.id,
    // For `presentSubject`.
    subject: sub,
    orgId: row.orgId,
    roles: row.roles,
    claims: () => ({
      ...toStandardClaims((key) => readText(row.metadata?.values[key])),
      sub,
      roles: row.roles ?? undefined,
      name: row.displayName,
      given_name: row.firstName,
      family_name: row.lastName,
      nickname: row.nickName ?? undefined,
      preferred_username: row.userName,
      gender: GENDERS[row.gender],
      locale: row.preferredLanguage ?? undefined,
      metadata: row.metadata === null ? undefined : toMetadataClaim(row.metadata),
      updated_at: Math.floor(row.changedAt.getTime() / 1_000),
      ...(isNoAddress(row.email) ? {} : { email: row.email, email_verified: row.emailVerified }),
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

/**
 * The query for users who may sign in.
 *
 * @param appId The application that asks; null for the account page.
 */
export function selectAccounts(db: Kysely<Tables>, appId: Expression<string | null>) {
  return db
    .selectFrom("users")
    .select(COLUMNS)
    .select(subjectOf(sql.ref("users.id")).as("subject"))
    .select([rolesInApp(appId, sql.ref("users.id")).as("roles"), metadataFor(appId).as("metadata")])
    .where("users.kind", "=", "human")
    .where(isActiveUser("users"));
}

const FIND_ACCOUNT = prepareLookUp<{ userId: string; appId: string | null }, AccountRow>(
  "find_account",
  { userId: "uuid", appId: "uuid" },
  (asked, db) =>
    // The limit as in `FIND_USER_OF_TOKEN`.
    asked
      .innerJoinLateral(
        selectAccounts(db, sql.ref<string | null>("asked.appId"))
          .whereRef("users.id", "=", sql.ref("asked.userId"))
          .limit(sql.lit(1))
          .as("account"),
        (join) => join.onTrue(),
      )
      .selectAll("account"),
);
