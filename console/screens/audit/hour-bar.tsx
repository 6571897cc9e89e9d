interface HourBarProps {
  readonly count: number;
  /** The largest count that is shown. */
  readonly most: number;
  readonly title?: string;
}

/** How much happened in an hour. One without events has a line, so that the time is visible. */
export function HourBar({ count, most, title }: HourBarProps) {
  return <span class={count === 0 ? "bar none" : "bar"} style={{ "--share": count / most }} title={title} />;
}
