import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Api, inOrg } from "../../api/api.ts";
import { EVENT_KINDS, type EventKind } from "../audit/event-kinds.ts";

/** What happened in the last 24 hours: events of a kind, or failed sign-ins. */
export interface DayCounts {
  readonly total: number;
  /** Whether there are more: no call counts events, so only the latest 1,000 are read. */
  readonly isMore: boolean;
  /** The oldest hour first. */
  readonly hours: readonly HourCount[];
}

interface HourCount {
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
  if (kind === "failures") {
    const counted = await api.management.countFailedSignIns({ since: timestampFromDate(since) }, inOrg(orgId, signal));
    const counts = counted.hours.map(({ start, count }) => ({
      time: start && timestampDate(start),
      count: Number(count),
    }));
    return { total: Number(counted.total), isMore: false, hours: toHours(counts, now) };
  }
  const { events, nextSequence } = await api.management.listEvents(
    {
      limit: MOST_READ,
      eventTypes: [...EVENT_KINDS[kind]],
      creationDateFilter: { case: "range", value: { since: timestampFromDate(since) } },
    },
    inOrg(orgId, signal),
  );
  const counts = events.map(({ creationDate }) => ({ time: creationDate && timestampDate(creationDate), count: 1 }));
  return { total: counts.length, isMore: nextSequence !== 0n, hours: toHours(counts, now) };
}

/** Counts by hour. What is outside of the 24 hours is ignored. */
export function toHours(
  counts: readonly { readonly time: Date | undefined; readonly count: number }[],
  now: Date,
): HourCount[] {
  const first = startOf(now).getTime();
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ start: new Date(first + hour * HOUR_MS), count: 0 }));
  for (const { time, count } of counts) {
    const hour = time && hours[Math.floor((time.getTime() - first) / HOUR_MS)];
    if (hour !== undefined) hour.count += count;
  }
  return hours;
}

/** The start of the hour 23 hours ago, so that the last bar is the current hour. */
export function startOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS);
}
