import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ChangeSchema } from "../../../gen/signet/v1/change_pb.js";
import type {
  EventSchema,
  ListEventsRequest,
  WatchEventsRequest,
  WatchEventsResponseSchema,
} from "../../../gen/signet/v1/event_pb.js";
import type { Call } from "../../call.ts";
import type { Problems } from "../../errors.ts";
import { eventTypesOf, toAggregateText, toAggregateType } from "../../events/aggregate-types.ts";
import { toEventText } from "../../events/catalogue.ts";
import type { WatchItem } from "../../events/kept-events.ts";
import type { ChangeRow } from "../../events/list-changes.ts";
import type { EventRow, EventSearch, FoundEvents } from "../../events/list-events.ts";
import { idsOf } from "../../events/read-names.ts";
import type { EventWatch } from "../../events/watch-events.ts";

const DEFAULT_LIMIT = 100;
/** PostgreSQL's largest bigint. */
const MAX_POSITION = 2n ** 63n - 1n;

/** The fields for `listOrgEvents` and `listInstanceEvents`. */
export function toEventSearch(request: ListEventsRequest, problems: Problems): EventSearch {
  const { sequence, limit, asc } = request;
  if (sequence > MAX_POSITION) problems.add("sequence", `must be at most ${MAX_POSITION}`);
  return {
    ascending: asc,
    start: sequence || null,
    limit: limit || DEFAULT_LIMIT,
    editorId: request.editorUserId || undefined,
    types: toTypes(request),
    aggregateId: request.aggregateId || undefined,
    resourceOwner: request.resourceOwner || undefined,
    ...toTimes(request),
  };
}

/** The fields for `watchEvents`. */
export function toEventWatch({ afterPosition, eventTypes }: WatchEventsRequest, problems: Problems): EventWatch {
  if (afterPosition !== undefined && afterPosition > MAX_POSITION) {
    problems.add("afterPosition", `must be at most ${MAX_POSITION}`);
  }
  return { after: afterPosition, types: eventTypes.length === 0 ? undefined : eventTypes };
}

/** The types of events that satisfy both conditions; undefined for all. */
function toTypes({ eventTypes, aggregateTypes }: ListEventsRequest): readonly string[] | undefined {
  if (aggregateTypes.length === 0) return eventTypes.length === 0 ? undefined : eventTypes;
  const ofAggregates = eventTypesOf(aggregateTypes);
  return eventTypes.length === 0 ? ofAggregates : ofAggregates.filter((type) => eventTypes.includes(type));
}

function toTimes({ asc, creationDateFilter }: ListEventsRequest): Pick<EventSearch, "since" | "until"> {
  switch (creationDateFilter.case) {
    case "range":
      return { since: toDate(creationDateFilter.value.since), until: toDate(creationDateFilter.value.until) };
    case "from":
      return { [asc ? "since" : "until"]: toDate(creationDateFilter.value) };
    default:
      return {};
  }
}

function toDate(timestamp: Timestamp | undefined): Date | undefined {
  return timestamp && timestampDate(timestamp);
}

/** Converts the events of a search. */
export function toEventList({ events, next, names }: FoundEvents) {
  return { events: events.map((row) => ({ ...toEvent(row), names: toNames(row, names) })), nextSequence: next };
}

function toNames(row: EventRow, names: FoundEvents["names"]): Record<string, string> {
  return Object.fromEntries(
    idsOf(row).flatMap((id) => {
      const name = names.get(id);
      return name === undefined ? [] : [[id, name]];
    }),
  );
}

/** Converts an event, or a heartbeat, of a stream. */
export function toWatchItem({ event, position }: WatchItem): MessageInitShape<typeof WatchEventsResponseSchema> {
  return { ...(event && { event: toEvent(event) }), position };
}

/** Converts an event. */
function toEvent(row: EventRow): MessageInitShape<typeof EventSchema> {
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

/** Converts an event of a user or an organization. */
export function toChange(row: ChangeRow, { orgId }: Call): MessageInitShape<typeof ChangeSchema> {
  return {
    changeDate: timestampFromDate(row.created_at),
    eventType: { key: row.type, localizedMessage: toEventText(row.type) },
    sequence: row.sequence,
    editorId: row.editor_id ?? "",
    editorDisplayName: row.editor_name ?? "",
    resourceOwnerId: orgId,
  };
}
