import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { subjectOf } from "../users/subjects.ts";

/** What a password hook gets about a user. */
export interface HookUser {
  readonly id: string;
  /** The `sub` that applications see; null if it is the id. */
  readonly subject: string | null;
  /** The metadata `external_id`: the id in the system that the user was imported from. */
  readonly externalId: Buffer | null;
  readonly userName: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

/** Reads a user of an organization; undefined if the user has been removed in the meantime. */
export async function findHookUser(
  { db }: { readonly db: Database },
  user: { readonly orgId: string; readonly id: string },
  caller: QueryCaller,
): Promise<HookUser | undefined> {
  const [found] = await selectUser(db, { orgId: user.orgId, id: user.id }, caller);
  return found;
}

const selectUser = prepareStatement<{ orgId: string; id: string }, HookUser>((db, param) =>
  db
    .selectFrom("users")
    .select(["id", "user_name as userName", "email", "email_verified as emailVerified"])
    .select(subjectOf(sql.ref("users.id")).as("subject"))
    .select(({ selectFrom }) =>
      selectFrom("user_metadata")
        .select("value")
        .whereRef("user_metadata.org_id", "=", "users.org_id")
        .whereRef("user_metadata.user_id", "=", "users.id")
        .where("key", "=", sql.lit("external_id"))
        .as("externalId"),
    )
    .where("org_id", "=", param("orgId", "uuid"))
    .where("id", "=", param("id", "uuid"))
    .$castTo<HookUser>(),
);
