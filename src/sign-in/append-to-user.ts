import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { changeUserRow } from "../users/change/change-user-row.ts";

/** Appends an event to a user without any other change. By default, the event has no editor, because the cause is unknown. */
export async function appendToUser(
  { db, now }: { readonly db: Database; readonly now: Date },
  { orgId, id }: { readonly orgId: string; readonly id: string },
  event: NewEvent,
  editorId: string | null = null,
): Promise<void> {
  await append(db, { ownerId: orgId, aggregateId: id, editorId, events: eventsToJson([event]), now });
}

const append = prepareStatement<EventValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) => changeUserRow(query, param))
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
