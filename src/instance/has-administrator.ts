import { sql } from "kysely";
import type { QueryCaller } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";

/**
 * Whether a person with a role in the instance has ever signed in. Until then, a link makes the first administrator; see
 * `createAdministratorLink`.
 *
 * @throws SignetError for a failure of the database.
 */
export async function hasAdministrator(db: Database, caller?: QueryCaller): Promise<boolean> {
  const [found] = await selectAdministrator(db, {}, caller);
  return found?.exists ?? false;
}

/** A subquery for each member, so that only the partition of the user's organization is read. */
const HAS_SIGNED_IN = sql<boolean>`(
  select users.last_signed_in_at from users
  where users.org_id = members.user_org_id and users.id = members.user_id and users.kind = 'human') is not null`;

const selectAdministrator = prepareStatement<object, { exists: boolean }>((db) =>
  db.selectNoFrom(
    sql<boolean>`exists (
      select from members join instance on instance.id = members.scope_id where ${HAS_SIGNED_IN})`.as("exists"),
  ),
);
