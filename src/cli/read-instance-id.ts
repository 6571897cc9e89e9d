import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** Returns the instance id. `withDatabase` has already checked that the instance exists. */
export async function readInstanceId(db: Kysely<Tables>): Promise<string> {
  return (await db.selectFrom("instance").select("id").executeTakeFirstOrThrow()).id;
}
