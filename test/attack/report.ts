import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import type { CallerFigures } from "./caller.ts";
import { isSaturated, missedGoals } from "./goals.ts";
import type { Measurement } from "./measure-attack.ts";

const HEAD = [
  "attack",
  "p50/p99 before, ms",
  "during",
  "after",
  "failures before/during/after",
  "memory before/peak/after, MB",
  "back after, s",
  "CPU attacker/server/all, %",
  "log, MB",
  "verdict",
];

/** One row for the terminal. */
export function toLine(measured: Measurement): string {
  const [title = "", ...cells] = toCells(measured);
  return [title.padEnd(28), ...cells].join("  ");
}

export function toCountsLine({ counts, passwords, newConnections }: Measurement): string {
  const parts = Object.entries(counts).map(([what, number]) => `${number} ${what}`);
  if (passwords !== undefined) parts.push(describe("imports with a password", passwords));
  if (newConnections !== undefined) parts.push(describe("imports on new connections", newConnections));
  return `  ${parts.join(", ")}`;
}

/** The table in Markdown, with a description of the machine. */
export function toMarkdown(measurements: readonly Measurement[]): string {
  const rows = measurements.map((measured) => `| ${toCells(measured).join(" | ")} |`);
  return [
    `${describeMachine()}, ${new Date().toISOString().slice(0, 10)}:`,
    "",
    `| ${HEAD.join(" | ")} |`,
    `|---|${HEAD.slice(1, -1)
      .map(() => "---:|")
      .join("")}---|`,
    ...rows,
    "",
  ].join("\n");
}

export function writeJson(file: string, measurements: readonly Measurement[]): void {
  const results = measurements.map((measured) => ({ ...measured, missed: missedGoals(measured) }));
  writeFileSync(file, `${JSON.stringify({ machine: describeMachine(), results }, null, 2)}\n`);
}

function toCells(measured: Measurement): string[] {
  const { title, before, during, after, memory, backAfter, cpu, logBytes } = measured;
  const missed = missedGoals(measured);
  return [
    title,
    ...[before, during, after].map(({ p50, p99 }) => `${Math.round(p50)} / ${Math.round(p99)}`),
    [before, during, after].map(({ failed, calls }) => (failed === 0 ? "0" : `${failed} of ${calls}`)).join(" / "),
    [memory.before, memory.peak, memory.after].map(toMegabytes).join(" / "),
    backAfter === undefined ? "never" : backAfter.toFixed(0),
    `${cpu.attacker} / ${cpu.server} / ${cpu.machine}${isSaturated(measured) ? " (saturated)" : ""}`,
    toMegabytes(logBytes),
    missed.length === 0 ? "held" : `**missed**: ${missed.join("; ")}`,
  ];
}

function describe(what: string, { calls, failed, p50, p99, max }: CallerFigures): string {
  const times = [p50, p99, max].map(Math.round).join(" / ");
  return `the caller's ${calls} ${what}: ${failed} failed, p50 / p99 / most ${times} ms`;
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

function describeMachine(): string {
  const load = readFileSync("/proc/loadavg", "utf8").split(" ")[0];
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, load ${load}`;
}
