import { ConfigError } from "../config.ts";
import type { Database } from "../database/database.ts";
import { findOrg } from "../orgs/find-orgs.ts";
import { ROLES, type Role } from "../roles.ts";

/**
 * Returns the id of the instance or organization in which a role is granted.
 *
 * @param idOrName Identifies the organization; undefined for the user's own.
 * @throws ConfigError if an organization is given for a role in the instance; SignetError ORG_NOT_FOUND.
 */
export async function findScope(
  db: Database,
  role: Role,
  idOrName: string | undefined,
  ownOrgId: string,
): Promise<string> {
  if (ROLES[role].scope === "org") return idOrName === undefined ? ownOrgId : (await findOrg(db, idOrName)).id;
  if (idOrName !== undefined)
    throw new ConfigError(`--in cannot be used with ${role}, which applies to the whole instance`);
  return await readInstanceId(db);
}

/** `withDatabase` has already checked that the instance exists. */
export async function readInstanceId(db: Database): Promise<string> {
  return (await db.selectFrom("instance").select("id").executeTakeFirstOrThrow()).id;
}
