import { type Expression, type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import type { NewEvent } from "./catalogue.ts";

/** The values that a statement needs to append events to one aggregate. */
export interface EventValues {
  /** The organization that the aggregate belongs to; the instance for an aggregate of the instance. */
  ownerId: string;
  aggregateId: string;
  /** The user who caused the events; null for the service itself. */
  editorId: string | null;
  /** The events in JSON, created by `eventsToJson`. */
  events: string;
  now: Date;
}

export function eventsToJson(events: readonly NewEvent[]): string {
  return JSON.stringify(events);
}

/**
 * The part of a statement that appends events. The last one gets the aggregate's new sequence.
 *
 * @param changed The part that writes the aggregate's row and returns its `sequence` and `changed_at`. If it returns no
 *   row, no event is appended.
 * @param aggregateId The id of the aggregate, if only the part `changed` knows it.
 */
export function appendEvents<Values extends EventValues>(
  param: Param<Values>,
  changed: string,
  aggregateId: Expression<string> = param("aggregateId", "uuid"),
): RawBuilder<Record<string, never>> {
  const events = param("events", "jsonb");
  return sql<Record<string, never>>`(
    insert into events (owner_id, aggregate_id, sequence, type, editor_id, created_at, payload)
    select ${param("ownerId", "uuid")}, ${aggregateId},
      changed.sequence - jsonb_array_length(${events}) + event.number,
      event.value ->> 'type', ${param("editorId", "uuid")}, changed.changed_at, event.value -> 'payload'
    from ${sql.table(changed)} as changed, jsonb_array_elements(${events}) with ordinality as event (value, number))`;
}
