import { CompiledQuery, type Kysely } from "kysely";
import { type Cursor, readEvents } from "../../../examples/events/read-events.ts";

/** Reads events with the example of a follower. */
export async function followEvents(db: Pick<Kysely<unknown>, "executeQuery">, cursor: Cursor, limit: number) {
  return await readEvents((text, values) => db.executeQuery(CompiledQuery.raw(text, values)), cursor, limit);
}
