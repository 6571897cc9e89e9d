import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import type { OrgRow } from "./org-row.ts";

export interface GetOrgParts {
  readonly db: Database;
}

/**
 * Returns the organization of the call (docs/api.md).
 *
 * @throws SignetError ORG_NOT_FOUND, or for a failure of the database.
 */
export async function getMyOrg({ db }: GetOrgParts, _fields: object, call: Call): Promise<OrgRow> {
  return await findOrg(db, call.orgId, call);
}

/**
 * Returns an organization of the instance (docs/api.md).
 *
 * @throws SignetError ORG_NOT_FOUND, or for a failure of the database.
 */
export async function getOrgById({ db }: GetOrgParts, { id }: { readonly id: string }, call: Call): Promise<OrgRow> {
  // Callers know it as the resource owner of instance-level objects.
  if (id.toLowerCase() === call.instanceId) {
    throw orgNotFound(id, "this is the id of the instance, which is not an organization");
  }
  return await findOrg(db, id, call);
}

async function findOrg(db: Database, id: string, call: Call): Promise<OrgRow> {
  const [row] = isId(id) ? await selectOrg(db, { id }, call) : [];
  if (row === undefined) throw orgNotFound(id, "the organization does not exist");
  return row;
}

export function orgNotFound(id: string, message: string): SignetError {
  return new SignetError("ORG_NOT_FOUND", message, { metadata: { field: "id", ...(isId(id) && { orgId: id }) } });
}

const selectOrg = prepareStatement<{ id: string }, OrgRow>((db, param) =>
  db
    .selectFrom("orgs")
    .select(["id", "name", "state", "primary_domain", "sequence", "created_at", "changed_at"])
    .where("id", "=", param("id", "uuid"))
    .where("removed_at", "is", null),
);
