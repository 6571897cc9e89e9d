/** How much of the largest count happened in an hour. One without events has a line, so that the time is visible. */
export function HourBar({ count, most, title }: { count: number; most: number; title?: string }) {
  return <span class={count === 0 ? "bar none" : "bar"} style={{ "--share": count / most }} title={title} />;
}
