import { ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { userNameKey } from "../fields/user-name.ts";
import { findOrg } from "../orgs/find-orgs.ts";

/**
 * Finds a user of any organization by id, or a user of one organization by user name.
 *
 * @throws ConfigError if no user is found; SignetError ORG_NOT_FOUND.
 */
export async function findUser(db: Database, idOrName: string, orgIdOrName: string) {
  const users = db.selectFrom("users").select(["org_id", "id", "user_name"]);
  const byId = isId(idOrName) ? await users.where("id", "=", idOrName).executeTakeFirst() : undefined;
  if (byId !== undefined) return byId;
  const org = await findOrg(db, orgIdOrName);
  const byName = await users
    .where("org_id", "=", org.id)
    .where("user_name_key", "=", userNameKey(idOrName.trim()))
    .executeTakeFirst();
  if (byName !== undefined) return byName;
  throw new ConfigError(`no user has the id "${idOrName}", and none in organization "${org.name}" has this name`);
}
