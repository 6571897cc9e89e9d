import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { changeUserRow } from "../users/change/change-user-row.ts";

export interface UserKey {
  readonly orgId: string;
  readonly id: string;
}

/** Appends an event to a user without any other change. By default, the event has no editor, because the cause is unknown. */
export async function appendToUser(
  { db, now }: { readonly db: Database; readonly now: Date },
  user: UserKey,
  event: NewEvent,
  editorId: string | null = null,
): Promise<void> {
  await append(db, { ...toOwnEvents(user, now, [event]), editorId });
}

/** The values for events of a user that this user causes. */
export function toOwnEvents({ orgId, id }: UserKey, now: Date, events: readonly NewEvent[]): EventValues {
  return { ownerId: orgId, aggregateId: id, editorId: id, events: eventsToJson(events), now };
}

const append = prepareStatement<EventValues, { sequence: bigint }>((db, param) =>
  db
    .with("changed", (query) => changeUserRow(query, param))
    .with("appended", () => appendEvents(param, "changed"))
    .selectFrom("changed")
    .select("sequence"),
);
