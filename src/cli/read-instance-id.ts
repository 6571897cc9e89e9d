import type { Database } from "../database/database.ts";

/** Returns the instance id. `withDatabase` has already checked that the instance exists. */
export async function readInstanceId(db: Database): Promise<string> {
  return (await db.selectFrom("instance").select("id").executeTakeFirstOrThrow()).id;
}
