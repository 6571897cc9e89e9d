/** A bar for an hour, relative to the largest count. An hour without events has a line, so that the time stays visible. */
export function HourBar({ count, most, title }: { count: number; most: number; title?: string }) {
  return <span class={count === 0 ? "bar none" : "bar"} style={{ "--share": count / most }} title={title} />;
}
