import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ListEventsRequestSchema } from "../../../gen/signet/v1/event_pb.js";
import { parseTime } from "../../parts/local-time.ts";
import { keyOf } from "../../state/tables.ts";
import { EVENT_KINDS, type EventKind } from "./event-kinds.ts";

/** What the address of the page says about its events. */
export interface EventSearch {
  readonly kind: EventKind | undefined;
  /** The name of a type, instead of a kind. */
  readonly type: string;
  /** The id of what was changed. */
  readonly object: string;
  /** The id of the user who caused the events. */
  readonly actor: string;
  /** In the zone of the address, which is UTC, so that a colleague elsewhere sees the same. */
  readonly since: Date | undefined;
  readonly until: Date | undefined;
  /** Only events before this position; undefined for the latest. */
  readonly before: bigint | undefined;
  /** The position of the event whose content is shown. */
  readonly open: string | undefined;
  /** Whether new events appear as they are recorded. */
  readonly follows: boolean;
}

const PAGE_SIZE = 50;

export function readEventSearch(parameters: URLSearchParams): EventSearch {
  const before = readPosition(parameters.get("before"));
  return {
    kind: keyOf(EVENT_KINDS, parameters.get("kind")),
    type: parameters.get("type")?.trim() ?? "",
    object: parameters.get("object")?.trim() ?? "",
    actor: parameters.get("actor")?.trim() ?? "",
    since: parseTime(parameters.get("since")),
    until: parseTime(parameters.get("until")),
    before,
    open: parameters.get("open") ?? undefined,
    follows: parameters.get("follow") === "1" && before === undefined,
  };
}

/** The types of the events; none means all. */
export function typesOf({ kind, type }: Pick<EventSearch, "kind" | "type">): string[] {
  if (type !== "") return [type];
  return kind === undefined ? [] : [...EVENT_KINDS[kind]];
}

export type EventRequest = MessageInitShape<typeof ListEventsRequestSchema>;

export function toEventRequest(search: EventSearch): EventRequest {
  const { object, actor, since, until, before = 0n } = search;
  const range = {
    ...(since && { since: timestampFromDate(since) }),
    ...(until && { until: timestampFromDate(until) }),
  };
  return {
    sequence: before,
    limit: PAGE_SIZE,
    eventTypes: typesOf(search),
    aggregateId: object,
    editorUserId: actor,
    ...((since || until) && { creationDateFilter: { case: "range", value: range } }),
  };
}

/** The parameter of the address for the time in a field of the type `datetime-local`. */
export function toTimeParameter(local: string): string | undefined {
  return parseTime(local)?.toISOString();
}

/** Positions are at most 2^63 - 1. */
function readPosition(text: string | null): bigint | undefined {
  return text !== null && /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined;
}
