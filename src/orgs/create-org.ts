import type { Kysely } from "kysely";
import type { Clock } from "../clock.ts";
import { createId, isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { invalidArgument } from "../errors.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import { userNameKey } from "../fields/user-name.ts";

/**
 * Creates an organization. Names are unique without regard to case.
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

function describeNameProblem(name: string): string | undefined {
  const length = [...name].length;
  if (length < 1 || length > 200) return `must have 1 to 200 characters, has ${length}`;
  if (/\p{Cc}/u.test(name)) return "must not contain control characters";
  return isId(name) ? "must not have the form of an id" : undefined;
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
