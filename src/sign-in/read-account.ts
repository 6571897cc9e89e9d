import { type Kysely, sql } from "kysely";
import type { Caller } from "../call.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";

/** The data of a user on the account page. */
export interface Account {
  readonly id: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly userName: string;
  readonly displayName: string;
  readonly email: string;
  readonly phone: string | null;
  readonly hasPassword: boolean;
  /** The input of `openOneTimeCode`. */
  readonly otpCode: Buffer | null;
  readonly otpCodeKey: string | null;
  /** The number of remaining recovery codes. */
  readonly recoveryCodes: number;
  readonly passkeys: readonly { readonly id: string; readonly name: string; readonly createdAt: Date }[];
  readonly idpLinks: readonly {
    readonly idpId: string;
    readonly externalUserId: string;
    readonly idpName: string;
    readonly displayName: string;
  }[];
}

/** More than a user needs. */
const MOST_LISTED = 100n;

/** @returns Undefined if the user is not an active human. */
export async function readAccount(
  { db }: { readonly db: Kysely<Tables> },
  userId: string,
  caller: Caller,
): Promise<Account | undefined> {
  const [row] = await selectAccount(db, { userId }, caller);
  if (row === undefined) return undefined;
  const values = { orgId: row.orgId, userId, limit: MOST_LISTED };
  const [passkeys, idpLinks] = await Promise.all([
    selectPasskeys(db, values, caller),
    selectIdpLinks(db, values, caller),
  ]);
  return { ...row, passkeys, idpLinks };
}

type AccountRow = Omit<Account, "passkeys" | "idpLinks">;

const selectAccount = prepareStatement<{ userId: string }, AccountRow>((db, param) =>
  db
    .selectFrom("users")
    .innerJoin("orgs", "orgs.id", "users.org_id")
    .select(["users.id as id", "otp_code as otpCode", "otp_code_key as otpCodeKey"])
    .select(["users.org_id as orgId", "orgs.name as orgName", "user_name as userName", "display_name as displayName"])
    .select(["email", "phone"])
    .select((eb) => eb("password_hash", "is not", null).as("hasPassword"))
    .select(
      sql<number>`(
        select count(*)::int from recovery_codes
        where recovery_codes.org_id = users.org_id and recovery_codes.user_id = users.id)`.as("recoveryCodes"),
    )
    .where("users.id", "=", param("userId", "uuid"))
    .where("kind", "=", "human")
    .where("state", "=", "active")
    .$castTo<AccountRow>(),
);

interface ListValues {
  orgId: string;
  userId: string;
  limit: bigint;
}

const selectPasskeys = prepareStatement<ListValues, Account["passkeys"][number]>((db, param) =>
  db
    .selectFrom("passkeys")
    .select(["id", "name", "created_at as createdAt"])
    .where("org_id", "=", param("orgId", "uuid"))
    .where("user_id", "=", param("userId", "uuid"))
    .orderBy("created_at")
    .limit(param("limit", "bigint")),
);

const selectIdpLinks = prepareStatement<ListValues, Account["idpLinks"][number]>((db, param) =>
  db
    .selectFrom("user_idp_links as link")
    .innerJoin("idps", (join) =>
      join.onRef("idps.owner_id", "=", "link.idp_owner_id").onRef("idps.id", "=", "link.idp_id"),
    )
    .select(["link.idp_id as idpId", "link.external_user_id as externalUserId", "idps.name as idpName"])
    .select("link.display_name as displayName")
    .where("link.org_id", "=", param("orgId", "uuid"))
    .where("link.user_id", "=", param("userId", "uuid"))
    .orderBy("link.created_at")
    .limit(param("limit", "bigint")),
);
