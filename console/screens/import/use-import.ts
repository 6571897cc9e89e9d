import { useEffect, useRef, useState } from "preact/hooks";
import type { Counts } from "../../../src/moving/report/outcome.ts";
import { isSignedOut, toProblem } from "../../api/problem.ts";
import { guardLeaving } from "../../state/location.ts";
import { isSessionOver } from "../../state/session.ts";
import type { CheckedImport, Job } from "./engine.ts";
import { MOST_BYTES, TooManyRecords } from "./limits.ts";
import type { RefusedTable } from "./refused-table.ts";
import { sumOf } from "./report.ts";
import { importTexts } from "./texts/import-texts.ts";
import type { Undone } from "./undo.ts";

/** How far an import is. */
export type Phase =
  | {
      readonly kind: "choose";
      readonly problem?: string;
      /** The files are too large for the page. */
      readonly isTooLarge?: boolean;
      /** Of an import that was undone. */
      readonly undone?: Undone;
      /** The import whose refused records are imported again. */
      readonly earlier?: CheckedImport;
    }
  | { readonly kind: "correct"; readonly checked: CheckedImport; readonly table: RefusedTable }
  | { readonly kind: "checking"; readonly count: number }
  | { readonly kind: "preview"; readonly checked: CheckedImport; readonly earlier: CheckedImport | undefined }
  | {
      readonly kind: "running";
      readonly checked: CheckedImport;
      readonly progress: Progress;
      readonly isPausing: boolean;
    }
  | { readonly kind: "paused"; readonly checked: CheckedImport; readonly failure?: string }
  | { readonly kind: "done"; readonly checked: CheckedImport };

interface Progress {
  readonly done: number;
  readonly refused: number;
  /** Since it was started or continued. */
  readonly perSecond: number;
}

/** Milliseconds between two updates of the page. */
const UPDATE = 200;

export function useImport() {
  const [phase, setPhase] = useState<Phase>({ kind: "choose" });
  const stopper = useRef(new AbortController());
  // Leaving the page ends what it does.
  useEffect(() => () => stopper.current.abort(), []);
  const isEmpty = phase.kind === "choose" && phase.earlier === undefined;
  useEffect(() => {
    if (isEmpty) return;
    return guardLeaving(() => importTexts.peek().leave);
  }, [isEmpty]);

  // Each step begins at the top, also for those who use the keyboard or listen.
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) {
      document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [phase.kind]);

  function startAnew(): AbortSignal {
    stopper.current = new AbortController();
    return stopper.current.signal;
  }

  return {
    phase,
    /**
     * Reads and checks the files.
     *
     * @param earlier The import whose refused records they are.
     */
    async check(job: Job, earlier?: CheckedImport) {
      const toChosen = { kind: "choose", ...(earlier && { earlier }) } as const;
      if (job.files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) {
        setPhase({ ...toChosen, isTooLarge: true });
        return;
      }
      const stopped = startAnew();
      setPhase({ kind: "checking", count: 0 });
      try {
        const { checkImport } = await import("./engine.ts");
        const onProgress = atIntervals((count: number) => setPhase({ kind: "checking", count }));
        const checked = await checkImport(job, { stopped, onProgress }, earlier);
        setPhase(stopped.aborted ? toChosen : { kind: "preview", checked, earlier });
      } catch (error) {
        const problem = error instanceof TooManyRecords ? { isTooLarge: true } : { problem: describe(error) };
        setPhase({ ...toChosen, ...problem });
      }
    },
    /** Imports, or continues. */
    async start(checked: CheckedImport) {
      const stopped = startAnew();
      const before = sumOf(checked.report.counts);
      const since = performance.now();
      const show = (counts: Counts) => {
        const done = sumOf(counts);
        const perSecond = (done - before) / Math.max((performance.now() - since) / 1_000, 0.001);
        const progress = { done, refused: counts.refused, perSecond };
        setPhase({ kind: "running", checked, progress, isPausing: stopped.aborted });
      };
      show(checked.report.counts);
      try {
        const isComplete = await checked.start({ stopped, onProgress: atIntervals(show) });
        setPhase({ kind: isComplete ? "done" : "paused", checked });
      } catch (error) {
        setPhase({ kind: "paused", checked, failure: describe(error) });
      }
    },
    /** Ends the check or the import, once the calls that are running have ended. */
    stop() {
      stopper.current.abort();
      setPhase((before) => (before.kind === "running" ? { ...before, isPausing: true } : before));
    },
    /** Shows the refused records, to be corrected. */
    correct: (checked: CheckedImport, table: RefusedTable) => setPhase({ kind: "correct", checked, table }),
    /** Shows the report of an import again. */
    showReport: (checked: CheckedImport) => setPhase({ kind: "done", checked }),
    /** Leads back to the files and options. */
    reset: ({ undone, earlier }: { readonly undone?: Undone; readonly earlier?: CheckedImport | undefined } = {}) =>
      setPhase({ kind: "choose", ...(undone && { undone }), ...(earlier && { earlier }) }),
  };
}

/** Calls a function at most once in each interval. */
function atIntervals<T>(call: (value: T) => void): (value: T) => void {
  let last = performance.now();
  return (value) => {
    if (performance.now() - last < UPDATE) return;
    last = performance.now();
    call(value);
  };
}

/** What a person can do something about: what the API says, or what is wrong with a file. */
function describe(error: unknown): string {
  if (error instanceof Error && error.name !== "ConnectError") {
    // The message of an import that cannot continue ends with the reason.
    if (/\(TOKEN_(?:INVALID|MISSING)\)$/.test(error.message)) isSessionOver.value = true;
    return error.message;
  }
  const problem = toProblem(error);
  if (isSignedOut(problem)) isSessionOver.value = true;
  return problem.message;
}
