import { type Clock, install } from "@sinonjs/fake-timers";
import {
  createImportProgress,
  type Output,
  type Progress,
  showProgress,
} from "../../src/moving/running/show-progress.ts";

let clock: Clock;
beforeEach(() => {
  clock = install();
});
afterEach(() => {
  clock.uninstall();
});

/** Gets everything that is written. */
function createOutput(terminal: Partial<Output> = {}) {
  const written: string[] = [];
  return { written, out: { ...terminal, write: (text: string) => written.push(text) } };
}

test("without a terminal, there is a line every two seconds, also while nothing happens, and one at the end", () => {
  const { written, out } = createOutput();
  let progress: Progress = { text: "checked 0 records" };
  const view = showProgress(out, () => progress);
  clock.tick(1_999);
  expect(written).toEqual([]);
  clock.tick(1);
  clock.tick(2_000);
  progress = { text: "500 of 1,000", done: 0.509 };
  clock.tick(2_000);
  progress = { text: "1,000 of 1,000", done: 1 };
  view.end();
  clock.tick(10_000);
  expect(written).toEqual([
    "checked 0 records\n",
    "checked 0 records\n",
    "50 %: 500 of 1,000\n",
    "100 %: 1,000 of 1,000\n",
  ]);
});

test("a terminal has one line, with a bar if the end is known, which is removed at the end", () => {
  const { written, out } = createOutput({ isTTY: true, columns: 40 });
  let progress: Progress = { text: "checked 500 records" };
  const view = showProgress(out, () => progress);
  clock.tick(200);
  progress = { text: "500 of 1,000, 100/s", done: 0.5 };
  clock.tick(200);
  view.end();
  clock.tick(1_000);
  expect(written).toEqual([
    "\rchecked 500 records\x1b[K",
    `\r[${"█".repeat(12)}${" ".repeat(12)}] 500 of 1,000\x1b[K`,
    "\r\x1b[K",
  ]);
});

test("an import says its rate in this process, the rest and the refused users", () => {
  const describe = createImportProgress(1_000, 200);
  const counts = { imported: 290, same: 5, updated: 0, differs: 0, merged: 0, refused: 5, skipped: 0 };
  clock.tick(2_000);
  expect(describe(counts)).toEqual({ text: "300 of 1,000, 50/s, 5 refused, 14 s left", done: 0.3 });
  expect(describe({ ...counts, imported: 990 })).toEqual({ text: "1,000 of 1,000, 400/s, 5 refused", done: 1 });
});
