import { sql } from "kysely";
import type { Call } from "../call.ts";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { type IdpOwner, idpNotFound } from "./idp-owner.ts";
import { IDP_COLUMNS, type IdpRow } from "./idp-row.ts";

export interface GetIdpParts {
  readonly db: Database;
}

/**
 * Returns a provider: one of the instance, or, for an organization, also one of its own (docs/api.md).
 *
 * @throws SignetError IDP_NOT_FOUND, or for a failure of the database.
 */
export async function getIdp(
  { db }: GetIdpParts,
  { id }: { readonly id: string },
  owner: IdpOwner,
  call: Call,
): Promise<IdpRow> {
  const values = { id, ownerId: owner.id, instanceId: call.instanceId };
  const [row] = isId(id) ? await selectIdp(db, values, call) : [];
  if (row === undefined) throw idpNotFound(owner, "id", id);
  return row;
}

const selectIdp = prepareStatement<{ id: string; ownerId: string; instanceId: string }, IdpRow>((db, param) =>
  db
    .selectFrom("idps")
    .select(IDP_COLUMNS)
    .where("id", "=", param("id", "uuid"))
    .where("owner_id", "in", [sql<string>`${param("ownerId", "uuid")}`, sql<string>`${param("instanceId", "uuid")}`]),
);
