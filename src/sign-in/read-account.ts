import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../call.ts";
import { isActiveUser } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { PROFILE, type ProfileRow } from "../database/profile.ts";
import { effectiveSettings } from "../policies/get-login-policy.ts";
import { type LoginPolicy, toLoginPolicy } from "../policies/login-policy.ts";
import { HAS_ROLES_ELSEWHERE } from "./find-sign-in-user.ts";

/** The data of a user on the account page. */
export interface Account extends ProfileRow {
  readonly id: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly userName: string;
  readonly displayName: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** The address that a link was sent to, and that replaces the current one once the link is used; null without one. */
  readonly nextEmail: string | null;
  readonly phone: string | null;
  readonly phoneVerified: boolean;
  readonly hasPassword: boolean;
  /** The login policy of the organization. */
  readonly policy: LoginPolicy;
  /** Whether the user has a role anywhere. */
  readonly hasRoles: boolean;
  /** Whether the user has roles in the instance or in other organizations. */
  readonly hasRolesElsewhere: boolean;
  /** The input of `openOneTimeCode`. */
  readonly otpCode: Buffer | null;
  readonly otpCodeKey: string | null;
  /** The number of remaining recovery codes. */
  readonly recoveryCodes: number;
  /** Oldest first, at most `MOST_LISTED`. */
  readonly passkeys: readonly AccountPasskey[];
  /** Oldest first, at most `MOST_LISTED`. */
  readonly idpLinks: readonly AccountLink[];
}

/** A passkey on the account page. Times are in ISO 8601. */
export interface AccountPasskey {
  readonly id: string;
  /** May be empty. */
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface AccountLink {
  readonly idpId: string;
  readonly externalUserId: string;
  readonly idpName: string;
  /** May be empty. */
  readonly displayName: string;
  /** Whether the provider can be used to sign in. */
  readonly isActive: boolean;
}

/** More than a user needs. */
const MOST_LISTED = 200;

/**
 * Reads everything that the account page shows of a user in one statement, except sessions.
 *
 * @returns Undefined if the user is not an active human.
 */
export async function readAccount(
  { db, now }: { readonly db: Database; readonly now: Date },
  userId: string,
  caller: Caller,
): Promise<Account | undefined> {
  const [row] = await selectAccount(db, { userId, now }, caller);
  return row && { ...row, policy: toLoginPolicy(row.settings) };
}

type AccountRow = Omit<Account, "policy"> & { readonly settings: Partial<LoginPolicy> | null };

const selectAccount = prepareStatement<{ userId: string; now: Date }, AccountRow>((db, param) =>
  db
    .selectFrom("users")
    .innerJoin("orgs", "orgs.id", "users.org_id")
    .select(["users.id as id", "otp_code as otpCode", "otp_code_key as otpCodeKey"])
    .select(["users.org_id as orgId", "orgs.name as orgName", "user_name as userName", "display_name as displayName"])
    .select(Object.values(PROFILE).map(({ column }) => column))
    .select(["email", "email_verified as emailVerified", "phone", "phone_verified as phoneVerified"])
    .select((eb) => eb("password_hash", "is not", null).as("hasPassword"))
    .select([HAS_ROLES_ELSEWHERE.as("hasRolesElsewhere"), effectiveSettings(sql.ref("users.org_id")).as("settings")])
    .select([
      sql<boolean>`exists (
        select from members where members.user_org_id = users.org_id and members.user_id = users.id)`.as("hasRoles"),
      sql<string | null>`(
        select case when codes.used_at is null and coalesce(codes.expires_at > ${param("now", "timestamptz")}, true)
          then codes.recipient end
        from codes where ${isOfUser("codes")} and codes.kind = 'email-change'
        order by codes.sequence desc limit 1)`.as("nextEmail"),
      sql<number>`(select count(*)::int from recovery_codes where ${isOfUser("recovery_codes")})`.as("recoveryCodes"),
      listOf<AccountPasskey>(sql`(
        select id, name, created_at as "createdAt", last_used_at as "lastUsedAt" from passkeys
        where ${isOfUser("passkeys")} order by created_at, id limit ${sql.lit(MOST_LISTED)})`).as("passkeys"),
      listOf<AccountLink>(sql`(
        select link.idp_id as "idpId", link.external_user_id as "externalUserId", idps.name as "idpName",
          link.display_name as "displayName", idps.state = 'active' as "isActive"
        from user_idp_links as link join idps on idps.owner_id = link.idp_owner_id and idps.id = link.idp_id
        where ${isOfUser("link")} order by link.created_at, link.idp_id limit ${sql.lit(MOST_LISTED)})`).as("idpLinks"),
    ])
    .where("users.id", "=", param("userId", "uuid"))
    .where("kind", "=", "human")
    .where(isActiveUser("users"))
    .$castTo<AccountRow>(),
);

function isOfUser(table: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.table(table)}.org_id = users.org_id and ${sql.table(table)}.user_id = users.id)`;
}

/** The rows of a query as JSON, in its order. */
function listOf<Row>(query: RawBuilder<unknown>): RawBuilder<readonly Row[]> {
  return sql<readonly Row[]>`coalesce((select jsonb_agg(to_jsonb(listed)) from ${query} as listed), '[]')`;
}
