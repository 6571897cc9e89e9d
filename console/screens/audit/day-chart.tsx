import { formatNumber } from "../../parts/values.tsx";
import { language, texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { withParameters } from "./event-links.ts";
import type { EventSearch } from "./event-search.ts";
import { HourBar } from "./hour-bar.tsx";
import { type Counted, countHours, DAY_MS, type HourCount, mostOf, startOfHour, sumOf } from "./hour-counts.ts";

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
  const days = new Intl.DateTimeFormat(language.value, { dateStyle: "medium" });
  const last = new Date(end.getTime() - 1);
  const dayName = days.formatRange(start, last);
  return (
    <section class="day" aria-label={audit.byHour(dayName)} aria-busy={!found.isCurrent}>
      <p class="day-title">
        <DayLink start={startOfDay(start, -1)} name="‹" label={audit.dayBefore} />
        <DayLink start={startOfDay(last)} name={dayName} />
        {end < now && <DayLink start={end} name="›" label={audit.dayAfter} />}
        <span class="small day-count">
          {found.value && audit.count(`${formatNumber(sumOf(times))}${isMore ? "+" : ""}`)}
        </span>
      </p>
      <div class="hours">
        {hours.map((hour, index) => (
          <HourLink
            key={String(hour.start.getTime())}
            {...{ hour, search, most: mostOf(hours), day: toRange(start, end), isNamed: index % 6 === 0 }}
          />
        ))}
      </div>
    </section>
  );
}

function DayLink({ start, name, label }: { start: Date; name: string; label?: string }) {
  return (
    <a class="day-link" href={toRange(start, startOfDay(start, 1))} aria-label={label}>
      {name}
    </a>
  );
}

interface HourLinkProps extends Pick<DayChartProps, "search"> {
  readonly hour: HourCount;
  readonly most: number;
  /** The address of the day, to which a second press leads. */
  readonly day: string;
  readonly isNamed: boolean;
}

function HourLink({ hour: { start, end, count }, search: { since, until }, most, day, isNamed }: HourLinkProps) {
  const { format } = new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit" });
  const { audit, colon } = texts.value;
  const name = `${format(start)}–${format(end)}${colon} ${audit.count(formatNumber(count))}`;
  const isChosen = since?.getTime() === start.getTime() && until !== undefined && until < end;
  return (
    <a
      class="hour-link"
      href={isChosen ? day : toRange(start, end)}
      title={name}
      aria-label={name}
      aria-current={isChosen ? "true" : undefined}
    >
      <HourBar count={count} most={most} />
      <span class="hour">{isNamed && format(start)}</span>
    </a>
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
