import { type Kysely, sql } from "kysely";
import type { Clock } from "../clock.ts";
import { createId, isId } from "../crypto/secrets.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { invalidArgument } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { userNameKey } from "../fields/user-name.ts";

/**
 * Adds an organization. Its name is unique without regard to case.
 *
 * The function resolves to the new id. It throws SignetError: INVALID_ARGUMENT, ORG_NAME_TAKEN, or what the database
 * gives.
 */
export function createCreateOrg({ db, clock }: { db: Kysely<Tables>; clock: Clock }) {
  const insertOrg = prepareInsertOrg(db);

  return async (givenName: string): Promise<string> => {
    const name = givenName.trim();
    const length = [...name].length;
    if (length < 1 || length > 200) {
      throw invalidArgument({ field: "name", description: `must have 1 to 200 characters, has ${length}` });
    }
    if (/\p{Cc}/u.test(name))
      throw invalidArgument({ field: "name", description: "must not contain control characters" });
    if (isId(name)) throw invalidArgument({ field: "name", description: "must not have the form of an id" });
    const id = createId();
    await insertOrg({
      ownerId: id,
      aggregateId: id,
      editorId: null,
      name,
      nameKey: userNameKey(name),
      now: clock(),
      events: eventsToJson([{ type: "org.added", payload: { name } }]),
    });
    return id;
  };
}

function prepareInsertOrg(db: Kysely<Tables>) {
  return prepareStatementOn<EventValues & { name: string; nameKey: string; now: Date }, unknown>(db, (param) =>
    db
      .with("created", (query) =>
        query
          .insertInto("orgs")
          .values({
            id: param("aggregateId", "uuid"),
            name: param("name", "text"),
            name_key: param("nameKey", "text"),
            sequence: sql`jsonb_array_length(${param("events", "jsonb")})`,
            created_at: param("now", "timestamptz"),
            changed_at: param("now", "timestamptz"),
          })
          .returning(["sequence", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .selectFrom("created")
      .selectAll(),
  );
}
