import { sql } from "kysely";
import { CONSOLE_APP_ID } from "../apps/console-app.ts";
import type { QueryCaller } from "../call.ts";
import { isActiveApp } from "../database/active.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/**
 * Whether the console is of use to a user: the user has a role, and the console is not disabled.
 *
 * @throws SignetError for a failure of the database.
 */
export async function mayUseConsole(
  db: Database,
  user: { readonly orgId: string; readonly userId: string },
  caller: QueryCaller,
): Promise<boolean> {
  const rows = await selectMembership(db, user, caller);
  return rows.length > 0;
}

const selectMembership = prepareStatement<{ orgId: string; userId: string }, unknown>((db, param) =>
  db
    .selectFrom("members")
    .select("role")
    .where("user_org_id", "=", param("orgId", "uuid"))
    .where("user_id", "=", param("userId", "uuid"))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("apps")
          .select("apps.id")
          .where("apps.id", "=", sql<string>`${sql.lit(CONSOLE_APP_ID)}::uuid`)
          .where(isActiveApp("apps")),
      ),
    )
    .limit(1),
);
