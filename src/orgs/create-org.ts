import type { Kysely } from "kysely";
import type { Clock } from "../clock.ts";
import { createId, isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { invalidArgument } from "../errors.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { describeNameProblem } from "../fields/name.ts";
import { userNameKey } from "../fields/user-name.ts";

/**
 * Creates an organization. Names are unique ignoring case.
 *
 * @returns The new id.
 * @throws SignetError INVALID_ARGUMENT, ORG_NAME_TAKEN, or for a failure of the database.
 */
export async function createOrg(
  { db, clock }: { readonly db: Kysely<Tables>; readonly clock: Clock },
  givenName: string,
): Promise<string> {
  const name = givenName.trim();
  const problem = describeNameProblem(name);
  if (problem !== undefined) throw invalidArgument({ field: "name", description: problem });
  if (isId(name)) throw invalidArgument({ field: "name", description: "must not have the format of an id" });
  const id = createId();
  await insertOrg(db, {
    ownerId: id,
    aggregateId: id,
    editorId: null,
    name,
    nameKey: userNameKey(name),
    now: clock(),
    events: eventsToJson([{ type: "org.added", payload: { name } }]),
  });
  return id;
}

const insertOrg = prepareStatement<EventValues & { name: string; nameKey: string }, unknown>((db, param) =>
  db
    .with("created", (query) =>
      query
        .insertInto("orgs")
        .values({
          id: param("aggregateId", "uuid"),
          name: param("name", "text"),
          name_key: param("nameKey", "text"),
          ...createdColumns(param),
        })
        .returning(["sequence", "changed_at"]),
    )
    .with("appended", () => appendEvents(param, "created"))
    .selectFrom("created")
    .selectAll(),
);
