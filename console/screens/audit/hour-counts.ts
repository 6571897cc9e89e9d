import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ListEventsResponse } from "../../../gen/signet/v1/event_pb.js";
import type { Api } from "../../api/api.ts";
import type { EventRequest } from "./event-search.ts";

/** What happened in a time: each with how often. */
export interface Counted {
  readonly times: readonly { readonly time: Date | undefined; readonly count: number }[];
  /** Whether there was more: no call counts events, so only the latest are read. */
  readonly isMore: boolean;
}

export type HourCount = ReturnType<typeof countHours>[number];

/** The most that a call returns, and the most calls. */
const MOST_READ = 1_000;
const MOST_CALLS = 10;
const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Counts the latest events. A call examines 10,000 events, and rare ones may be further back, so one call may not be enough. */
export async function countEvents(
  list: (request: EventRequest) => Promise<Pick<ListEventsResponse, "events" | "nextSequence">>,
  request: EventRequest,
): Promise<Counted> {
  const times: Counted["times"][number][] = [];
  let sequence = 0n;
  for (let calls = 0; calls < MOST_CALLS && times.length < MOST_READ; calls += 1) {
    const { events, nextSequence } = await list({ ...request, sequence, limit: MOST_READ - times.length });
    times.push(...events.map(({ creationDate }) => ({ time: creationDate && timestampDate(creationDate), count: 1 })));
    if (nextSequence === 0n) return { times, isMore: false };
    sequence = nextSequence;
  }
  return { times, isMore: true };
}

/** Counts failed sign-ins, of which only some are events. */
export async function countFailures(
  { management }: Api,
  { since, until, userId = "" }: { since: Date; until?: Date; userId?: string },
  signal: AbortSignal,
): Promise<Counted> {
  const request = { since: timestampFromDate(since), ...(until && { until: timestampFromDate(until) }), userId };
  const { hours } = await management.countFailedSignIns(request, { signal });
  const times = hours.map(({ start, count }) => ({ time: start && timestampDate(start), count: Number(count) }));
  return { times, isMore: false };
}

export function sumOf(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** The largest count, at least 1. */
export function mostOf(hours: readonly HourCount[]): number {
  return Math.max(1, ...hours.map(({ count }) => count));
}

/** Counts by the hours of a range, by default 24 of them; a day has 23 to 25. What is outside of it is ignored. */
export function countHours(times: Counted["times"], start: Date, end = new Date(start.getTime() + DAY_MS)) {
  const hours = Array.from({ length: Math.ceil((end.getTime() - start.getTime()) / HOUR_MS) }, (_, hour) => ({
    start: new Date(start.getTime() + hour * HOUR_MS),
    end: new Date(start.getTime() + (hour + 1) * HOUR_MS),
    count: 0,
  }));
  for (const { time, count } of times) {
    const hour = time && hours[Math.floor((time.getTime() - start.getTime()) / HOUR_MS)];
    if (hour !== undefined) hour.count += count;
  }
  return hours;
}

/** The beginning of the hour that a time is in, or of an earlier or later one. */
export function startOfHour(time: Date, hours = 0): Date {
  return new Date((Math.floor(time.getTime() / HOUR_MS) + hours) * HOUR_MS);
}
