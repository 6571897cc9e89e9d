import type { Database } from "../database/database.ts";

/**
 * Lists all roles of users in the order in which they were granted. `in` is null for the instance.
 *
 * @param scopeId The organization to list the roles of; undefined for all.
 */
export async function listMembers(db: Database, scopeId: string | undefined) {
  return await db
    .selectFrom("members")
    .innerJoin("users", (join) =>
      join.onRef("users.org_id", "=", "members.user_org_id").onRef("users.id", "=", "members.user_id"),
    )
    .innerJoin("orgs as home", "home.id", "members.user_org_id")
    .leftJoin("orgs as scope", "scope.id", "members.scope_id")
    .select(["members.user_id as userId", "users.user_name as user", "home.name as org", "members.role"])
    .select(["scope.name as in", "members.created_at as since"])
    .$if(scopeId !== undefined, (query) => query.where("members.scope_id", "=", scopeId ?? ""))
    .orderBy("members.created_at")
    .orderBy("members.user_id")
    .orderBy("members.role")
    .execute();
}
