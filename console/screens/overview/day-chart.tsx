import { formatNumber } from "../../parts/time.tsx";
import { language, texts } from "../../state/language.ts";
import type { DayCounts } from "./day-counts.ts";

const HEIGHT = 48;
const WIDTH = 240;
const GAP = 2;

interface DayChartProps {
  readonly title: string;
  readonly href: string;
  readonly isBad?: boolean;
  readonly counts: DayCounts | undefined;
}

/** The number of a day, with a bar for each hour. The same is a table for those who do not see it. */
export function DayChart({ title, href, isBad = false, counts }: DayChartProps) {
  const { overview } = texts.value;
  const hour = new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit" });
  const hours = counts?.hours ?? [];
  const most = Math.max(1, ...hours.map(({ count }) => count));
  const width = WIDTH / Math.max(1, hours.length);
  return (
    <section class="stat" aria-label={title}>
      <h3>
        <a href={href}>{title}</a>
      </h3>
      <p class="number">{counts === undefined ? "…" : `${formatNumber(counts.total)}${counts.isMore ? "+" : ""}`}</p>
      <svg class={isBad ? "chart bad" : "chart"} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {hours.map(({ start, count }, index) => {
          // An hour without events has a line, so that the time is visible.
          const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
          return (
            <rect
              key={String(start)}
              class={count === 0 ? "none" : undefined}
              x={index * width}
              y={HEIGHT - height}
              width={width - GAP}
              height={height}
              rx={1}
            >
              <title>{`${hour.format(start)}: ${formatNumber(count)}`}</title>
            </rect>
          );
        })}
      </svg>
      {counts !== undefined && counts.total > 0 && (
        <table class="spoken">
          <caption>{overview.byHour(title)}</caption>
          <tbody>
            {hours
              .filter(({ count }) => count > 0)
              .map(({ start, count }) => (
                <tr key={String(start)}>
                  <th scope="row">{hour.format(start)}</th>
                  <td>{formatNumber(count)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {counts?.isMore && <p class="small">{overview.latestOnly(formatNumber(counts.total))}</p>}
    </section>
  );
}
