import { formatNumber } from "./values.tsx";

interface CountsProps<Name extends string> {
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  readonly counts: Readonly<Record<Name, number>>;
}

/** Numbers in a row, each below what it counts. */
export function Counts<Name extends string>({ names, labels, counts }: CountsProps<Name>) {
  return (
    <dl class="counts">
      {names.map((name) => (
        <div key={name}>
          <dt>{labels[name]}</dt>
          <dd>{formatNumber(counts[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
