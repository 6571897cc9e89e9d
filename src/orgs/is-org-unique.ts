import type { Call } from "../call.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { userNameKey } from "../fields/user-name.ts";
import type { OrgFields } from "./check-org-name.ts";

/**
 * Returns whether no organization of the instance has the name, ignoring case (docs/reference/organizations.md).
 *
 * @throws SignetError for a failure of the database.
 */
export async function isOrgUnique(
  { db }: { readonly db: Database },
  { name }: OrgFields,
  call: Call,
): Promise<boolean> {
  const [row] = await selectOrg(db, { nameKey: userNameKey(name) }, call);
  return row === undefined;
}

const selectOrg = prepareStatement<{ nameKey: string }, { id: string }>((db, param) =>
  db.selectFrom("orgs").select("id").where("name_key", "=", param("nameKey", "text")),
);
