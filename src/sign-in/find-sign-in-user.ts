import type { Kysely } from "kysely";
import type { QueryCaller } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
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
  /** The input of `openOneTimeCode`. */
  readonly otpCode: Buffer | null;
  readonly otpCodeKey: string | null;
  /** The last step whose one-time code was used. */
  readonly otpLastStep: bigint | null;
}

interface FindParts {
  readonly db: Kysely<Tables>;
}

/** @param nameKey The result of `userNameKey`. */
export async function findSignInUserByName(
  { db }: FindParts,
  { orgId, nameKey }: { readonly orgId: string; readonly nameKey: string },
  caller: QueryCaller,
): Promise<SignInUser | undefined> {
  const [user] = await selectByName(db, { orgId, nameKey }, caller);
  return user;
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
  "state",
  "initialized",
  "user_name as userName",
  "display_name as displayName",
  "email",
  "email_verified as emailVerified",
  "password_hash as passwordHash",
  "password_change_required as passwordChangeRequired",
  "otp_code as otpCode",
  "otp_code_key as otpCodeKey",
  "otp_last_step as otpLastStep",
] as const;

const selectByName = prepareStatement<{ orgId: string; nameKey: string }, SignInUser>((db, param) =>
  db
    .selectFrom("users")
    .select(COLUMNS)
    .where("kind", "=", "human")
    .where("org_id", "=", param("orgId", "uuid"))
    .where("user_name_key", "=", param("nameKey", "text"))
    .$castTo<SignInUser>(),
);

const selectById = prepareStatement<{ id: string }, SignInUser>((db, param) =>
  db
    .selectFrom("users")
    .select(COLUMNS)
    .where("kind", "=", "human")
    .where("id", "=", param("id", "uuid"))
    .$castTo<SignInUser>(),
);

const selectByLink = prepareStatement<{ orgId: string; idpId: string; externalUserId: string }, SignInUser>(
  (db, param) =>
    db
      .selectFrom("users")
      .select(COLUMNS)
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
