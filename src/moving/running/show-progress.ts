import { toPrintable } from "../../printable.ts";
import { format, formatSeconds } from "../checking/describe-findings.ts";
import type { Counts } from "../report/outcome.ts";

/** A terminal or a file. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Writes lines, without characters of names and files that would control the terminal. */
export function writeLines(out: Output, lines: readonly string[]): void {
  out.write(lines.map((line) => `${toPrintable(line)}\n`).join(""));
}

/** How far a step is. */
export interface Progress {
  readonly text: string;
  /** From 0 to 1; undefined if nobody knows how much there is to do. */
  readonly done?: number;
}

interface ProgressView {
  /** Removes the line of a terminal. */
  end(): void;
}

const BAR = 24;
const REDRAW_MS = 200;
const LINE_MS = 2_000;

/** Shows how far a step is: on a terminal in one line, elsewhere in a line every two seconds and one at the end. */
export function showProgress(out: Output, read: () => Progress): ProgressView {
  const isTerminal = out.isTTY === true;
  const timer = setInterval(isTerminal ? draw : writeLine, isTerminal ? REDRAW_MS : LINE_MS);
  return {
    end() {
      clearInterval(timer);
      if (isTerminal) out.write("\r\x1b[K");
      else writeLine();
    },
  };

  function draw(): void {
    const { text, done } = read();
    const filled = Math.floor((done ?? 0) * BAR);
    const bar = done === undefined ? "" : `[${"█".repeat(filled)}${" ".repeat(BAR - filled)}] `;
    out.write(`\r${`${bar}${text}`.slice(0, (out.columns ?? 80) - 1)}\x1b[K`);
  }

  function writeLine(): void {
    const { text, done } = read();
    out.write(`${done === undefined ? "" : `${Math.floor(done * 100)} %: `}${text}\n`);
  }
}

/**
 * Describes the progress of an import.
 *
 * @param total The number of records.
 * @param before The number that earlier processes have finished.
 */
export function createImportProgress(total: number, before: number): (counts: Counts) => Progress {
  const startedAt = performance.now();
  return (counts) => {
    const done = sum(counts);
    const seconds = (performance.now() - startedAt) / 1_000;
    const rate = (done - before) / Math.max(seconds, 0.001);
    const left = rate > 0 && done < total ? `, ${formatSeconds((total - done) / rate)} left` : "";
    const refused = counts.refused > 0 ? `, ${format(counts.refused)} refused` : "";
    const text = `${format(done)} of ${format(total)}, ${format(Math.round(rate))}/s${refused}${left}`;
    return { text, done: done / Math.max(1, total) };
  };
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}
