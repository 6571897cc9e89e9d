import { formatNumber } from "../../parts/values.tsx";
import { language, texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { withParameters } from "./event-links.ts";
import type { EventSearch } from "./event-search.ts";
import { type Counted, countHours, DAY_MS, startOfHour, sumOf } from "./hour-counts.ts";

interface DayChartProps {
  readonly search: EventSearch;
  /** Everything else that the counts depend on. */
  readonly id: string;
  readonly count: (range: { readonly since: Date; readonly until: Date }, signal: AbortSignal) => Promise<Counted>;
}

/** A day by hour: that of the filter, or today. Each hour narrows the events to it. */
export function DayChart({ search, id, count }: DayChartProps) {
  const { audit } = texts.value;
  const now = new Date();
  const { start, end } = rangeOf(search, now);
  const found = useLoad(`day ${id} ${start.getTime()} ${end.getTime()}`, (signal) =>
    count({ since: start, until: new Date(end.getTime() - 1) }, signal),
  );
  const { times = [], isMore = false } = found.value ?? {};
  const hours = countHours(times, start, end);
  const most = Math.max(1, ...hours.map((hour) => hour.count));
  const days = new Intl.DateTimeFormat(language.value, { dateStyle: "medium" });
  const last = new Date(end.getTime() - 1);
  const dayName = days.formatRange(start, last);
  const hourName = new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit" });
  return (
    <section class="day" aria-label={audit.byHour(dayName)} aria-busy={!found.isCurrent}>
      <p class="day-title">
        <a class="day-link" href={toRange(startOfDay(start, -1), startOfDay(start))} aria-label={audit.dayBefore}>
          ‹
        </a>
        <a class="day-link" href={toRange(startOfDay(last), startOfDay(last, 1))}>
          {dayName}
        </a>
        {end < now && (
          <a class="day-link" href={toRange(end, startOfDay(end, 1))} aria-label={audit.dayAfter}>
            ›
          </a>
        )}
        <span class="small day-count">
          {found.value && audit.count(`${formatNumber(sumOf(times))}${isMore ? "+" : ""}`)}
        </span>
      </p>
      <div class="hours">
        {hours.map((hour, index) => {
          const name = `${hourName.format(hour.start)}–${hourName.format(hour.end)}${texts.value.colon} ${audit.count(formatNumber(hour.count))}`;
          const isChosen =
            search.since?.getTime() === hour.start.getTime() && search.until !== undefined && search.until < hour.end;
          return (
            <a
              class="hour-link"
              key={String(hour.start.getTime())}
              href={isChosen ? toRange(start, end) : toRange(hour.start, hour.end)}
              title={name}
              aria-label={name}
              aria-current={isChosen ? "true" : undefined}
            >
              <span class={hour.count === 0 ? "bar none" : "bar"} style={{ height: `${(hour.count / most) * 70}%` }} />
              <span class="hour">{index % 6 === 0 ? hourName.format(hour.start) : ""}</span>
            </a>
          );
        })}
      </div>
    </section>
  );
}

/** The 24 hours after the beginning of the filter if it has no end, and otherwise a day in the zone of the browser. */
function rangeOf({ since, until }: EventSearch, now: Date) {
  if (since && !until && now.getTime() - since.getTime() <= DAY_MS) {
    const start = startOfHour(since);
    return { start, end: new Date(start.getTime() + DAY_MS) };
  }
  const start = startOfDay(since ?? until ?? now);
  return { start, end: startOfDay(start, 1) };
}

/** Midnight in the zone of the browser. */
function startOfDay(time: Date, days = 0): Date {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate() + days);
}

function toRange(start: Date, end: Date): string {
  return withParameters({ since: start.toISOString(), until: new Date(end.getTime() - 1).toISOString() });
}
