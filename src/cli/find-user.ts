import { sql } from "kysely";
import { ConfigError } from "../config.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import type { Param } from "../database/prepare.ts";
import { trimText } from "../fields/trim-text.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import { isFoundByOther, type NewName, toNewName } from "../users/found-by-other.ts";

/** The options of a command for one user. */
export interface UserOptions {
  /** Id of the user, or the user name in the organization. */
  readonly user: string;
  /** Id or name of the organization. */
  readonly org: string;
  readonly json: boolean;
}

/**
 * Finds a user of any organization by id, or a user of one organization by user name.
 *
 * @throws ConfigError if no user is found, or the name is also the verified address or number of another user, as earlier
 *   versions allowed; SignetError ORG_NOT_FOUND.
 */
export async function findUser(db: Database, idOrName: string, orgIdOrName: string) {
  const users = db.selectFrom("users").select(["org_id", "id", "user_name"]);
  const byId = isId(idOrName) ? await users.where("id", "=", idOrName).executeTakeFirst() : undefined;
  if (byId !== undefined) return byId;
  const org = await findOrg(db, orgIdOrName);
  const name = toNewName(trimText(idOrName));
  const given: Param<NewName> = (key) => sql`${name[key]}::text`;
  const byName = await users
    .select(isFoundByOther(given, { orgId: sql`${org.id}::uuid` }).as("is_ambiguous"))
    .where("org_id", "=", org.id)
    .where("user_name_key", "=", name.userNameKey)
    .executeTakeFirst();
  if (byName?.is_ambiguous) {
    const address = "is also the verified address or number of another one; use the id";
    throw new ConfigError(`"${idOrName}" is the name of the user ${byName.id}, and ${address}`);
  }
  if (byName !== undefined) return byName;
  throw new ConfigError(`no user has the id "${idOrName}", and none in organization "${org.name}" has this name`);
}
