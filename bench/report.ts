import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** Something measured; with a rule where there is a goal. */
export interface Figure {
  readonly name: string;
  /** The median, where it was measured several times. */
  readonly value: number;
  readonly unit: string;
  readonly rule?: "at most" | "at least";
  readonly bound?: number;
  readonly all?: readonly number[];
}

/** Prints the figures, and writes them to `bench/results.json` and `docs/performance.svg`. */
export function writeReport(figures: readonly Figure[], kind: string): void {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  for (const figure of figures) console.log(toLine(figure));
  writeFileSync(
    `bench/results-${kind}.json`,
    `${JSON.stringify({ machine, date: new Date().toISOString(), figures }, null, 2)}\n`,
  );
}

function toLine({ name, value, unit, rule, bound }: Figure): string {
  const goal =
    bound === undefined || rule === undefined
      ? ""
      : `  ${rule} ${bound}: ${isReached({ value, rule, bound }) ? "reached" : "NOT REACHED"}`;
  return `${name.padEnd(72)} ${format(value).padStart(9)} ${unit}${goal}`;
}

export function isReached({
  value,
  rule,
  bound,
}: {
  value: number;
  rule: "at most" | "at least";
  bound: number;
}): boolean {
  return rule === "at most" ? value <= bound : value >= bound;
}

export function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}
