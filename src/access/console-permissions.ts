import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { type Permission, permissionsOf } from "../roles.ts";
import { isConsoleActive } from "./may-use-console.ts";

/** A person in a browser, from which the console calls the RPCs. */
interface ConsoleUser {
  readonly orgId: string;
  readonly userId: string;
  /** Whether a provider of an organization has confirmed the user, whose roles elsewhere do not count then. */
  readonly isOfOrgIdp: boolean;
}

/**
 * The permissions of a person in an organization or in the instance, for pages that the console opens: those that the
 * RPCs would find for the console's access token (`find-principal.ts`).
 *
 * @throws SignetError for a failure of the database.
 */
export async function findConsolePermissions(
  db: Database,
  user: ConsoleUser,
  scopeId: string,
  caller: QueryCaller,
): Promise<readonly Permission[]> {
  const rows = await selectRoles(db, { ...user, scopeId }, caller);
  return permissionsOf(rows.map(({ role }) => role));
}

const selectRoles = prepareStatement<ConsoleUser & { scopeId: string }, { role: string }>((db, param) =>
  db
    .selectFrom("members")
    .select("role")
    .where("user_org_id", "=", param("orgId", "uuid"))
    .where("user_id", "=", param("userId", "uuid"))
    .where(sql<boolean>`scope_id = any (array[${param("scopeId", "uuid")}, (select id from instance)])`)
    .where(sql<boolean>`(not ${param("isOfOrgIdp", "boolean")} or scope_id = user_org_id)`)
    .where(isConsoleActive),
);
