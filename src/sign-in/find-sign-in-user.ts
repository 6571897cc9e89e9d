import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { STATE_IN_ORG } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { foldCase } from "../database/text-match.ts";
import { usersWithPhone } from "../users/verified-phones.ts";
import type { Identifier } from "./identifier.ts";

/** A human user for the steps of a sign-in. */
export interface SignInUser {
  readonly orgId: string;
  readonly id: string;
  readonly sequence: bigint;
  readonly state: Tables["users"]["state"]["__select__"];
  /** Whether the user has completed the requested initialization. */
  readonly initialized: boolean;
  readonly userName: string;
  readonly displayName: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Modular Crypt Format; null without a password. */
  readonly passwordHash: string | null;
  readonly passwordChangeRequired: boolean;
  /** Whether a second factor is required, whatever the login policy says. */
  readonly secondFactorRequired: boolean;
  /** The input of `openOneTimeCode`. */
  readonly otpCode: Buffer | null;
  readonly otpCodeKey: string | null;
  /** The last step whose one-time code was used. */
  readonly otpLastStep: bigint | null;
  /** Whether the user has roles in the instance or in other organizations. */
  readonly hasRolesElsewhere: boolean;
}

interface FindParts {
  readonly db: Database;
}

/** Text of any other form is an unknown id. */
export async function findSignInUser(
  { db }: FindParts,
  id: string,
  caller?: QueryCaller,
): Promise<SignInUser | undefined> {
  if (!isId(id)) return undefined;
  const [user] = await selectById(db, { id }, caller);
  return user;
}

/** An external user by the ids of a provider. */
interface ExternalKey {
  readonly orgId: string;
  readonly idpId: string;
  readonly externalUserId: string;
  /** See `ExternalIds`. */
  readonly otherIds?: readonly string[] | undefined;
}

/** Finds the user of an organization that an external user is linked to, with the id of the link. */
export async function findLinkedUser(
  { db }: FindParts,
  { externalUserId, otherIds = [], ...key }: ExternalKey,
  caller: QueryCaller,
): Promise<(SignInUser & { readonly linkedAs: string }) | undefined> {
  const [user] = await selectByLink(db, { ...key, externalUserIds: [externalUserId, ...otherIds] }, caller);
  return user;
}

const COLUMNS = [
  "org_id as orgId",
  "id",
  "sequence",
  "initialized",
  "user_name as userName",
  "display_name as displayName",
  "email",
  "email_verified as emailVerified",
  "password_hash as passwordHash",
  "password_change_required as passwordChangeRequired",
  "second_factor_required as secondFactorRequired",
  "otp_code as otpCode",
  "otp_code_key as otpCodeKey",
  "otp_last_step as otpLastStep",
] as const;

/** Whether the user in `users` has roles outside of the organization. */
export const HAS_ROLES_ELSEWHERE = sql<boolean>`exists (
  select from members where members.user_org_id = users.org_id and members.user_id = users.id
    and members.scope_id <> users.org_id)`;

/** The columns of a `SignInUser` in `users`. */
const SELECTED = [...COLUMNS, STATE_IN_ORG.as("state"), HAS_ROLES_ELSEWHERE.as("hasRolesElsewhere")] as const;

const selectById = prepareStatement<{ id: string }, SignInUser>((db, param) =>
  db
    .selectFrom("users")
    .select(SELECTED)
    .where("kind", "=", "human")
    .where("id", "=", param("id", "uuid"))
    .$castTo<SignInUser>(),
);

const selectByLink = prepareStatement<
  { orgId: string; idpId: string; externalUserIds: string[] },
  SignInUser & { linkedAs: string }
>((db, param) =>
  db
    .selectFrom(({ selectFrom }) =>
      selectFrom("user_idp_links")
        .select(["user_id", "external_user_id"])
        .where("user_idp_links.org_id", "=", param("orgId", "uuid"))
        .where("idp_id", "=", param("idpId", "uuid"))
        .where("external_user_id", "=", sql<string>`any(${param("externalUserIds", "text[]")})`)
        .orderBy(sql`array_position(${param("externalUserIds", "text[]")}, external_user_id)`)
        .limit(1)
        .as("link"),
    )
    .innerJoin("users", "users.id", "link.user_id")
    .select([...SELECTED, "link.external_user_id as linkedAs"])
    .where("kind", "=", "human")
    .where("org_id", "=", param("orgId", "uuid"))
    .$castTo<SignInUser & { linkedAs: string }>(),
);

interface IdentifierValues extends Identifier {
  readonly orgId: string;
}

/**
 * Finds the human user of an organization by user name, else by verified email address, else by verified phone number.
 * An address or a number of several active users finds none of them, because nothing says which one is meant.
 */
export async function findIdentifiedUser(
  { db }: { readonly db: Database },
  { orgId, nameKey, emailKey, phone }: IdentifierValues,
  caller: QueryCaller,
): Promise<SignInUser | undefined> {
  const [user] = await selectIdentified(db, { orgId, nameKey, emailKey, phone }, caller);
  return user;
}

/**
 * How many users with an address are read, oldest first. The index of addresses also contains unverified ones, of which
 * there can be any number.
 */
export const MAX_OF_ADDRESS = 100;

/** At most two users of each kind are needed to know whether one is meant. */
const selectIdentified = prepareStatement<IdentifierValues, SignInUser>((db, param) => {
  const orgId = param("orgId", "uuid");
  return db
    .with(
      "found",
      () => sql<{ id: string; rank: number }>`(
        select id, 1 as rank from users
        where org_id = ${orgId} and kind = 'human' and user_name_key = ${param("nameKey", "text")}
        union all
        (select id, 2 from (
            select id, email_verified, state from users
            where org_id = ${orgId}
              and ${foldCase(sql`coalesce(email, '')`)} collate "C" = ${foldCase(param("emailKey", "text"))}
            order by id limit ${sql.lit(MAX_OF_ADDRESS)}) as of_address
          where email_verified and state = 'active' limit 2)
        union all
        (select id, 3 from ${usersWithPhone(sql`${orgId}`, sql`${param("phone", "text")}`)} as of_phone limit 2))`,
    )
    .selectFrom("users")
    .select(SELECTED)
    .where("org_id", "=", orgId)
    .where(
      "id",
      "=",
      sql<string>`(
        select (array_agg(id))[1] from found where rank = (select min(rank) from found) having count(*) = 1)`,
    )
    .$castTo<SignInUser>();
});

/** A user whose only purpose of an initialization link is left: to verify the address, and to set a first password. */
export function isUninitialized({ state, initialized, emailVerified, passwordHash }: SignInUser): boolean {
  return state === "active" && !initialized && !emailVerified && passwordHash === null;
}

/**
 * Finds the only active user of an organization with an address, if the user is uninitialized. Such users cannot sign in
 * with their address, but know no other name.
 */
export async function findUninitializedUser(
  { db }: { readonly db: Database },
  { orgId, emailKey }: { readonly orgId: string; readonly emailKey: string },
  caller: QueryCaller,
): Promise<SignInUser | undefined> {
  const [user, other] = await selectByAddress(db, { orgId, emailKey }, caller);
  return user !== undefined && other === undefined && isUninitialized(user) ? user : undefined;
}

const selectByAddress = prepareStatement<{ orgId: string; emailKey: string }, SignInUser>((db, param) =>
  db
    .selectFrom("users")
    .select(SELECTED)
    .where("org_id", "=", param("orgId", "uuid"))
    .where(sql<boolean>`${foldCase(sql`coalesce(email, '')`)} collate "C" = ${foldCase(param("emailKey", "text"))}`)
    .where("kind", "=", "human")
    .where("state", "=", "active")
    .limit(sql.lit(2))
    .$castTo<SignInUser>(),
);
