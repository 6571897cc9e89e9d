import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { toChart } from "./chart.ts";
import type { Figure } from "./figure.ts";

export type Kind =
  | "quick"
  | "full"
  | "million"
  | "reads"
  | "sign-ins"
  | "sign-ins-quick"
  | "telemetry"
  | "telemetry-quick";

/**
 * Prints the figures and writes them to `bench/results-<kind>.json`. A full run also updates the table and the chart of
 * `docs/performance.md`, a run of imports or reads of a million users its other tables.
 */
export function writeReport(figures: readonly Figure[], kind: Kind): void {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const date = new Date().toISOString().slice(0, 10);
  for (const figure of figures) console.log(toLine(figure));
  writeFileSync(`bench/results-${kind}.json`, `${JSON.stringify({ machine, date, figures }, null, 2)}\n`);
  if (kind.endsWith("quick")) return;
  const page = readFileSync("docs/performance.md", "utf8");
  const table = [`${machine}, ${date}:`, "", ...toTable(figures)].join("\n");
  writeFileSync("docs/performance.md", replaceBetween(page, kind, table));
  if (kind === "full") writeFileSync("docs/performance.svg", toChart(figures));
}

function replaceBetween(page: string, kind: Kind, text: string): string {
  const [begin, end] = [`<!-- begin ${kind} -->`, `<!-- end ${kind} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md does not contain ${begin} and ${end}`);
  return `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`;
}

function toTable(figures: readonly Figure[]): string[] {
  const rows = figures.map(({ name, value, unit, rule, bound }) => {
    const goal = rule === undefined || bound === undefined ? "" : `${rule} ${bound}`;
    const verdict =
      rule === undefined || bound === undefined ? "" : isReached(value, rule, bound) ? "reached" : "**not reached**";
    return `| ${name} | ${format(value)} ${unit} | ${goal} | ${verdict} |`;
  });
  return ["| figure | median | goal | |", "|---|---:|---|---|", ...rows];
}

function toLine({ name, value, unit, rule, bound }: Figure): string {
  const verdict =
    rule !== undefined && bound !== undefined
      ? `  ${rule} ${bound}: ${isReached(value, rule, bound) ? "reached" : "NOT REACHED"}`
      : "";
  return `${name.padEnd(72)} ${format(value).padStart(9)} ${unit}${verdict}`;
}

function isReached(value: number, rule: "at most" | "at least", bound: number): boolean {
  return rule === "at most" ? value <= bound : value >= bound;
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}
