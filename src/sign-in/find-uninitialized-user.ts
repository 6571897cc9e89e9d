import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { foldCase } from "../database/text-match.ts";
import { SELECTED, type SignInUser } from "./find-sign-in-user.ts";

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
