import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { EventSchema, WatchEventsResponseSchema } from "../../../gen/signet/v1/event_pb.js";
import { toAggregateText, toAggregateType } from "../../events/aggregate-types.ts";
import { toEventText } from "../../events/catalogue.ts";
import type { WatchItem } from "../../events/kept-events.ts";
import type { EventRow, FoundEvents } from "../../events/list-events.ts";

/** Converts the events of a search. */
export function toEventList({ events, next }: FoundEvents) {
  return { events: events.map(toEvent), nextSequence: next };
}

/** Converts an event, or a heartbeat, of a stream. */
export function toWatchItem({ event, position }: WatchItem): MessageInitShape<typeof WatchEventsResponseSchema> {
  return { ...(event && { event: toEvent(event) }), position };
}

/** Converts an event. */
export function toEvent(row: EventRow): MessageInitShape<typeof EventSchema> {
  const aggregateType = toAggregateType(row.type);
  return {
    ...(row.editor_id !== null && { editor: { userId: row.editor_id, displayName: row.editor_name ?? "" } }),
    aggregate: {
      id: row.aggregate_id,
      type: {
        type: aggregateType,
        localized: { key: aggregateType, localizedMessage: toAggregateText(aggregateType) },
      },
      resourceOwner: row.owner_id,
    },
    sequence: row.position,
    creationDate: timestampFromDate(row.created_at),
    ...(row.payload !== null && { payload: row.payload as JsonObject }),
    type: { type: row.type, localized: { key: row.type, localizedMessage: toEventText(row.type) } },
  };
}
