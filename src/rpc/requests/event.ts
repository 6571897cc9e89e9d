import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { ListEventsRequest, WatchEventsRequest } from "../../../gen/signet/v1/event_pb.js";
import type { Problems } from "../../errors.ts";
import { eventTypesOf } from "../../events/aggregate-types.ts";
import type { EventSearch } from "../../events/list-events.ts";
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
