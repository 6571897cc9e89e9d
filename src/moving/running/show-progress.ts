import { format, formatSeconds } from "../checking/describe-findings.ts";
import type { Counts } from "../report/outcome.ts";

/** Shows how far a run is. */
export interface ProgressView {
  update(counts: Counts): void;
  /** Removes the bar. */
  end(): void;
}

/** A terminal or a file. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const BAR = 24;
const REDRAW_MS = 200;
/** Records between two looks at the clock. */
const STEP = 50;

/**
 * Shows a bar on a terminal, and a line for each tenth elsewhere.
 *
 * @param total The number of records.
 * @param before The number that earlier processes have finished.
 */
export function createProgressView(out: Output, total: number, before: number): ProgressView {
  const startedAt = performance.now();
  let drawnAt = 0;
  let tenth = Math.floor((before * 10) / Math.max(1, total));
  let updates = 0;
  const describe = (counts: Counts) => {
    const done = sum(counts);
    const seconds = (performance.now() - startedAt) / 1_000;
    const rate = (done - before) / Math.max(seconds, 0.001);
    const left = rate > 0 ? `, ${formatSeconds((total - done) / rate)} left` : "";
    const refused = counts.refused > 0 ? `, ${format(counts.refused)} refused` : "";
    return `${format(done)} of ${format(total)}, ${format(Math.round(rate))}/s${refused}${done < total ? left : ""}`;
  };
  return {
    update(counts) {
      if (out.isTTY === true) {
        updates += 1;
        if (updates % STEP !== 0 || performance.now() - drawnAt < REDRAW_MS) return;
        drawnAt = performance.now();
        const filled = Math.floor((sum(counts) * BAR) / Math.max(1, total));
        const line = `[${"█".repeat(filled)}${" ".repeat(BAR - filled)}] ${describe(counts)}`;
        out.write(`\r${line.slice(0, (out.columns ?? 80) - 1)}\x1b[K`);
        return;
      }
      const reached = Math.floor((sum(counts) * 10) / Math.max(1, total));
      if (reached <= tenth) return;
      tenth = reached;
      out.write(`${reached * 10} %: ${describe(counts)}\n`);
    },
    end() {
      if (out.isTTY === true && drawnAt > 0) out.write("\r\x1b[K");
    },
  };
}

function sum({ imported, same, differs, refused, skipped }: Counts): number {
  return imported + same + differs + refused + skipped;
}
