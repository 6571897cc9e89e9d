import { sql } from "kysely";
import { isId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { IDP_COLUMNS, type IdpRow } from "./idp-row.ts";

/** A provider on the command line. */
export interface OwnedIdp extends IdpRow {
  /** Null for a provider of the instance. */
  readonly org_name: string | null;
}

/** Lists the providers of the instance and of all organizations, in order of creation. */
export async function listAllIdps(db: Database): Promise<OwnedIdp[]> {
  return await selectIdps(db).orderBy("idps.created_at").orderBy("idps.id").execute();
}

/** Finds a provider of any owner. */
export async function findIdpRow(db: Database, id: string): Promise<OwnedIdp | undefined> {
  return isId(id) ? await selectIdps(db).where("idps.id", "=", id).executeTakeFirst() : undefined;
}

function selectIdps(db: Database) {
  return db
    .selectFrom("idps")
    .leftJoin("orgs", "orgs.id", "idps.owner_id")
    .where("orgs.removed_at", "is", null)
    .select(IDP_COLUMNS.map((column) => `idps.${column}` as const))
    .select(sql<string | null>`orgs.name`.as("org_name"))
    .$castTo<OwnedIdp>();
}
