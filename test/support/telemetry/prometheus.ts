/** The samples in Prometheus' text format: name and labels as printed, and value. */
export type Samples = ReadonlyMap<string, number>;

/** Parses the text format. Throws for a line that is neither a comment nor a sample, and for one that occurs twice. */
export function parseMetrics(text: string): Samples {
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("# ")) continue;
    const [, series, value] =
      /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\.)*",?)*\})?) (\S+)$/.exec(line) ?? [];
    if (series === undefined || samples.has(series)) throw new Error(`unexpected line: ${line}`);
    samples.set(series, value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value));
  }
  return samples;
}

/** The increased values, except for histogram buckets and the process's own metrics. */
export function difference(before: Samples, after: Samples): Record<string, number> {
  const names = [...after.keys()].filter(
    (name) => name.startsWith("signet_") && !/_bucket\{|_event_loop_|_sum/.test(name),
  );
  const changes = names.map((name) => [name, (after.get(name) ?? 0) - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}
