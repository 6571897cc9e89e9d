import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

/** The id of the instance, which exists: `withDatabase` has checked it. */
export async function readInstanceId(db: Kysely<Tables>): Promise<string> {
  return (await db.selectFrom("instance").select("id").executeTakeFirstOrThrow()).id;
}
