import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Api, inOrg } from "../../api/api.ts";
import { EVENT_KINDS, type EventKind } from "../audit/event-kinds.ts";

/** The events of a kind in the last 24 hours. */
export interface DayCounts {
  readonly total: number;
  /** Whether there are more: the API has no call that counts events, so only the latest 1,000 are read. */
  readonly isMore: boolean;
  /** The oldest hour first. */
  readonly hours: readonly HourCount[];
}

export interface HourCount {
  readonly start: Date;
  readonly count: number;
}

/** The most that a call returns. */
const MOST_READ = 1_000;
const HOURS = 24;
const HOUR_MS = 3_600_000;

export async function countDay(
  api: Api,
  { orgId, kind, now }: { readonly orgId: string; readonly kind: EventKind; readonly now: Date },
  signal: AbortSignal,
): Promise<DayCounts> {
  const since = startOf(now);
  const { events, nextSequence } = await api.management.listEvents(
    {
      limit: MOST_READ,
      eventTypes: [...EVENT_KINDS[kind]],
      creationDateFilter: { case: "range", value: { since: timestampFromDate(since) } },
    },
    inOrg(orgId, signal),
  );
  const times = events.flatMap(({ creationDate }) => (creationDate ? [timestampDate(creationDate)] : []));
  return { total: times.length, isMore: nextSequence !== 0n, hours: toHours(times, now) };
}

/** Counts times by hour. Those outside of the 24 hours are ignored. */
export function toHours(times: readonly Date[], now: Date): HourCount[] {
  const first = startOf(now).getTime();
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ start: new Date(first + hour * HOUR_MS), count: 0 }));
  for (const time of times) {
    const hour = hours[Math.floor((time.getTime() - first) / HOUR_MS)];
    if (hour !== undefined) hour.count += 1;
  }
  return hours;
}

/** The start of the hour 23 hours ago, so that the last bar is the current hour. */
function startOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS);
}
