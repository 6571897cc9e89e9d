import type { Registry } from "prom-client";

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

interface Definition {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Label values that have a series from startup. Without labels, there is always one series. */
  readonly initial?: readonly (readonly string[])[];
}

/** Increments a counter, by label values. */
export type Count = (...labels: string[]) => void;
/** Records a value in a histogram, by label values. */
export type Observe = (value: number, ...labels: string[]) => void;

/**
 * Adds a counter to a registry. It counts in a plain object, and creates samples only when metrics are read, because
 * prom-client validates and hashes the labels on each increment, which takes as long as the rest of the report.
 */
export function addCounter(registry: Registry, definition: Definition): Count {
  const children = createChildren(definition, () => ({ count: 0 }));
  register(registry, definition, "counter", () =>
    children.all.map(({ labels, child }) => ({ labels: toLabels(definition, labels), value: child.count })),
  );
  return (...labels) => {
    children.find(labels).count += 1;
  };
}

/** Adds a histogram to a registry, in the same way. `buckets`: the upper bounds, in ascending order. */
export function addHistogram(registry: Registry, definition: Definition & { buckets: readonly number[] }): Observe {
  const { name, buckets } = definition;
  const children = createChildren(definition, () => ({
    counts: new Array<number>(buckets.length + 1).fill(0),
    sum: 0,
  }));
  register(registry, definition, "histogram", () =>
    children.all.flatMap(({ labels, child }) => {
      const own = toLabels(definition, labels);
      let count = 0;
      const samples = child.counts.map((inBucket, index) => {
        count += inBucket;
        return { labels: { le: buckets[index] ?? "+Inf", ...own }, value: count, metricName: `${name}_bucket` };
      });
      return [
        ...samples,
        { labels: own, value: child.sum, metricName: `${name}_sum` },
        { labels: own, value: count, metricName: `${name}_count` },
      ];
    }),
  );
  return (value, ...labels) => {
    const child = children.find(labels);
    let index = 0;
    while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1;
    child.counts[index] = (child.counts[index] ?? 0) + 1;
    child.sum += value;
  };
}

/** A registry only calls `get` on a named metric. */
function register(registry: Registry, { name, help }: Definition, type: string, read: () => Sample[]): void {
  const get = async (): Promise<Family> => ({ name, help, type, aggregator: "sum", values: read() });
  registry.registerMetric({ name, get } as never);
}

function toLabels({ labelNames }: Definition, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labelNames.map((name, index) => [name, values[index] ?? ""]));
}

interface Level<Child> {
  readonly next: Map<string, Level<Child>>;
  child: Child | undefined;
}

/** The counts by label values: a map for each label, because joining texts takes longer. */
function createChildren<Child>({ labelNames, initial = [] }: Definition, create: () => Child) {
  const depth = labelNames.length;
  const newLevel = (): Level<Child> => ({ next: new Map(), child: undefined });
  const root = newLevel();
  const all: { readonly labels: readonly string[]; readonly child: Child }[] = [];
  for (const labels of depth === 0 ? [[]] : initial) find(labels);
  return { all, find };

  function find(labels: readonly string[]): Child {
    let level = root;
    for (let index = 0; index < depth; index += 1) {
      const label = labels[index] ?? "";
      let next = level.next.get(label);
      if (next === undefined) {
        next = newLevel();
        level.next.set(label, next);
      }
      level = next;
    }
    if (level.child === undefined) {
      level.child = create();
      all.push({ labels: [...labels], child: level.child });
    }
    return level.child;
  }
}
