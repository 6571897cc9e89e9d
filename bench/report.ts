import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { findPrograms } from "../test/support/databases/postgres-programs.ts";
import { toChart } from "./chart.ts";
import type { Figure } from "./figure.ts";

export type Kind =
  | "quick"
  | "full"
  | "million"
  | "forms"
  | "forms-quick"
  | "first-minute"
  | "reads"
  | "sign-ins"
  | "sign-ins-quick"
  | "telemetry"
  | "telemetry-quick"
  | "beside-keycloak";

/** The tables of `bench/README.md`. */
export type TableName =
  | "empty-handler"
  | "phone"
  | "import"
  | "forms"
  | "first-minute"
  | "protocols"
  | "socket"
  | "earlier"
  | "start"
  | "hashing"
  | "memory"
  | "embedded"
  | "million"
  | "reads"
  | "sign-ins"
  | "beside-keycloak"
  | "telemetry";

/** The prefix of names that a table omits, because it is in the heading. */
const LEFT_OUT: Partial<Record<TableName, string>> = {
  phone: "UpdateHumanPhone",
  import: "ImportHumanUser (hash)",
  embedded: "embedded database",
};

/**
 * Prints the figures and writes them to `bench/results-<kind>.json`. A run that is not quick also updates its tables of
 * `bench/README.md`, and a full run the chart.
 */
export function writeReport(tables: Partial<Record<TableName, readonly Figure[]>>, kind: Kind): void {
  const figures = Object.values(tables).flat();
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${findPrograms().name}`;
  const date = new Date().toISOString().slice(0, 10);
  for (const figure of figures) console.log(toLine(figure));
  writeFileSync(`bench/results-${kind}.json`, `${JSON.stringify({ machine, date, figures }, null, 2)}\n`);
  if (kind.endsWith("quick")) return;
  let page = readFileSync("bench/README.md", "utf8");
  for (const [name, rows] of Object.entries(tables) as [TableName, readonly Figure[]][]) {
    page = replaceBetween(page, name, [`${machine}, ${date}:`, "", ...toTable(rows, LEFT_OUT[name])].join("\n"));
  }
  writeFileSync("bench/README.md", page);
  const { earlier: _, forms: __, ...charted } = tables;
  if (kind === "full") writeFileSync("docs/performance.svg", toChart(Object.values(charted).flat()));
}

function replaceBetween(page: string, name: TableName, text: string): string {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`bench/README.md does not contain ${begin} and ${end}`);
  return `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`;
}

function toTable(figures: readonly Figure[], leftOut = ""): string[] {
  const rows = figures.map(({ name: fullName, value, unit, rule, bound }) => {
    const name = fullName.startsWith(leftOut) ? fullName.slice(leftOut.length).replace(/^[,:] /, "") : fullName;
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
