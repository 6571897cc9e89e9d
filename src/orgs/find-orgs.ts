import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { SignetError } from "../errors.ts";
import { trimText } from "../fields/trim-text.ts";
import { userNameKey } from "../fields/user-name.ts";

/** An organization on the command line. */
interface Org {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds an organization by its id or name.
 *
 * @throws SignetError ORG_NOT_FOUND.
 */
export async function findOrg(db: Database, idOrName: string): Promise<Org> {
  const org = await db
    .selectFrom("orgs")
    .select(["id", "name"])
    .where(({ eb, or }) =>
      or([...(isId(idOrName) ? [eb("id", "=", idOrName)] : []), eb("name_key", "=", userNameKey(trimText(idOrName)))]),
    )
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (org === undefined) throw new SignetError("ORG_NOT_FOUND", `no organization has the id or name "${idOrName}"`);
  return org;
}
