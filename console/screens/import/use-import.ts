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

/** The phase of an import, and the functions that lead to other phases. */
export function useImport() {
  const [phase, setPhase] = useState<Phase>({ kind: "choose" });
  const stopper = useRef(new AbortController());
  // Leaving the page ends what it does.
  useEffect(() => () => stopper.current.abort(), []);
  useLeaveQuestion(phase);
  useTopOfStep(phase.kind);
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
    check: (job: Job, earlier?: CheckedImport) => check({ job, earlier, stopped: startAnew(), show: setPhase }),
    /** Imports, or continues. */
    start: (checked: CheckedImport) => start({ checked, stopped: startAnew(), show: setPhase }),
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

/** Asks before an import is lost. */
function useLeaveQuestion(phase: Phase): void {
  const isEmpty = phase.kind === "choose" && phase.earlier === undefined;
  useEffect(() => {
    if (isEmpty) return;
    return guardLeaving(() => importTexts.peek().leave);
  }, [isEmpty]);
}

/** Each step begins at the top, also for people who use a keyboard or a screen reader. */
function useTopOfStep(kind: Phase["kind"]): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) {
      document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [kind]);
}

interface Work {
  readonly stopped: AbortSignal;
  readonly show: (phase: Phase) => void;
}

async function check({ job, earlier, stopped, show }: Work & { job: Job; earlier: CheckedImport | undefined }) {
  const toChosen = { kind: "choose", ...(earlier && { earlier }) } as const;
  if (job.files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) return show({ ...toChosen, isTooLarge: true });
  show({ kind: "checking", count: 0 });
  try {
    const { checkImport } = await import("./engine.ts");
    const onProgress = atIntervals((count: number) => show({ kind: "checking", count }));
    const checked = await checkImport(job, { stopped, onProgress }, earlier);
    show(stopped.aborted ? toChosen : { kind: "preview", checked, earlier });
  } catch (error) {
    const problem = error instanceof TooManyRecords ? { isTooLarge: true } : { problem: describe(error) };
    show({ ...toChosen, ...problem });
  }
}

async function start({ checked, stopped, show }: Work & { readonly checked: CheckedImport }): Promise<void> {
  const before = sumOf(checked.report.counts);
  const since = performance.now();
  const showProgress = (counts: Counts) => {
    const done = sumOf(counts);
    const perSecond = (done - before) / Math.max((performance.now() - since) / 1_000, 0.001);
    const progress = { done, refused: counts.refused, perSecond };
    show({ kind: "running", checked, progress, isPausing: stopped.aborted });
  };
  showProgress(checked.report.counts);
  try {
    const isComplete = await checked.start({ stopped, onProgress: atIntervals(showProgress) });
    show({ kind: isComplete ? "done" : "paused", checked });
  } catch (error) {
    show({ kind: "paused", checked, failure: describe(error) });
  }
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
