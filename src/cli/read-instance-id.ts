import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** Returns the id of the instance. `withDatabase` has checked that it exists. */
export async function readInstanceId(db: Kysely<Tables>): Promise<string> {
  return (await db.selectFrom("instance").select("id").executeTakeFirstOrThrow()).id;
}
