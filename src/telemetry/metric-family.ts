/** A metric with its values, as `Registry.getMetricsAsJSON` returns it. Can be sent to another process. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How the values from several processes are combined. */
  readonly aggregator: string;
  readonly values: readonly Sample[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}
