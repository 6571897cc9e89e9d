import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import { STATE_IN_ORG } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";

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

/** Finds the user of an organization that an external user is linked to. */
export async function findLinkedUser(
  { db }: FindParts,
  link: { readonly orgId: string; readonly idpId: string; readonly externalUserId: string },
  caller: QueryCaller,
): Promise<SignInUser | undefined> {
  const [user] = await selectByLink(db, { ...link }, caller);
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
export const SELECTED = [...COLUMNS, STATE_IN_ORG.as("state"), HAS_ROLES_ELSEWHERE.as("hasRolesElsewhere")] as const;

const selectById = prepareStatement<{ id: string }, SignInUser>((db, param) =>
  db
    .selectFrom("users")
    .select(SELECTED)
    .where("kind", "=", "human")
    .where("id", "=", param("id", "uuid"))
    .$castTo<SignInUser>(),
);

const selectByLink = prepareStatement<{ orgId: string; idpId: string; externalUserId: string }, SignInUser>(
  (db, param) =>
    db
      .selectFrom("users")
      .select(SELECTED)
      .where("kind", "=", "human")
      .where("org_id", "=", param("orgId", "uuid"))
      .where("id", "=", ({ selectFrom }) =>
        selectFrom("user_idp_links")
          .select("user_id")
          .where("user_idp_links.org_id", "=", param("orgId", "uuid"))
          .where("idp_id", "=", param("idpId", "uuid"))
          .where("external_user_id", "=", param("externalUserId", "text")),
      )
      .$castTo<SignInUser>(),
);
