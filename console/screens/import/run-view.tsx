import { formatNumber } from "../../parts/time.tsx";
import { importTexts } from "./texts/import-texts.ts";
import type { Phase } from "./use-import.ts";

interface RunViewProps {
  readonly phase: Extract<Phase, { kind: "running" | "paused" }>;
  readonly onPause: () => void;
  readonly onContinue: () => void;
}

/** The third step: how far the import is, with a pause. */
export function RunView({ phase, onPause, onContinue }: RunViewProps) {
  const own = importTexts.value;
  if (phase.kind === "paused") {
    return (
      <div class={phase.failure === undefined ? "notice good" : "notice bad"} role="alert">
        <p>{phase.failure === undefined ? own.paused : `${own.failed}: ${phase.failure}`}</p>
        {phase.failure !== undefined && <p>{own.again}</p>}
        <button type="button" onClick={onContinue}>
          {own.continue}
        </button>
      </div>
    );
  }
  const { progress, checked, isPausing } = phase;
  const total = checked.findings.records;
  const seconds = progress.perSecond > 0 ? Math.ceil((total - progress.done) / progress.perSecond) : undefined;
  return (
    <>
      <p>
        <strong>{own.progress(formatNumber(progress.done), formatNumber(total))}</strong>{" "}
        <span class="quiet">
          {own.rate(formatNumber(Math.round(progress.perSecond)), formatNumber(progress.refused))}
          {seconds !== undefined && `, ${own.left(Math.floor(seconds / 60), seconds % 60)}`}
        </span>
      </p>
      <progress value={progress.done} max={total} aria-label={own.steps.run} />
      <div class="buttons">
        <button type="button" class="secondary" disabled={isPausing} onClick={onPause}>
          {own.pause}
        </button>
        {isPausing && <span role="status">{own.pausing}</span>}
      </div>
    </>
  );
}
