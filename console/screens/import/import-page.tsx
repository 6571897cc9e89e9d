import { Button } from "../../parts/button.tsx";
import { Page, Skeleton } from "../../parts/screen.tsx";
import { Steps } from "../../parts/steps.tsx";
import { CodeBlock, formatNumber } from "../../parts/values.tsx";
import { usePermissions } from "../../state/permissions.ts";
import { CorrectView } from "./correct-view.tsx";
import { Preview } from "./preview.tsx";
import { ReportView, RunView } from "./report-view.tsx";
import { toCommand } from "./setup.ts";
import { SetupForm } from "./setup-form.tsx";
import { hasImportTexts, importTexts } from "./texts/import-texts.ts";
import type { Undone } from "./undo.ts";
import { type Phase, useImport } from "./use-import.ts";
import { type PhaseProps, type StepProps, useSetup } from "./use-setup.ts";

const STEP: Readonly<Record<Phase["kind"], number>> = {
  choose: 0,
  checking: 0,
  preview: 1,
  running: 2,
  paused: 2,
  done: 3,
  correct: 3,
};

/** Imports the users of another system: choose a file, see what will happen, import, see what has happened. */
export function ImportPage({ orgId }: { orgId: string }) {
  const { title, notAllowed } = importTexts.value;
  const allowed = usePermissions(orgId).value;
  if (!hasImportTexts.value) return <main id="main" tabIndex={-1} />;
  if (allowed?.can("user.write")) return <Import orgId={orgId} mayRemove={allowed.can("user.delete")} />;
  return <Page title={title}>{allowed ? <p>{notAllowed}</p> : <Skeleton isShown={false} />}</Page>;
}

function Import({ orgId, mayRemove }: { orgId: string; mayRemove: boolean }) {
  const { title, steps } = importTexts.value;
  const run = useImport();
  const part = { run, setup: useSetup(orgId), mayRemove };
  return (
    <Page title={title}>
      <Steps names={[steps.choose, steps.preview, steps.run, steps.report]} current={STEP[run.phase.kind]} />
      <CurrentStep {...part} />
    </Page>
  );
}

function CurrentStep(props: StepProps) {
  const { phase, stop } = props.run;
  switch (phase.kind) {
    case "choose":
      return (
        <>
          <ChooseNotes {...props} phase={phase} />
          <SetupForm {...props} phase={phase} />
        </>
      );
    case "checking":
      return <CheckingStep count={phase.count} onStop={stop} />;
    case "preview":
      return <Preview {...props} phase={phase} />;
    case "running":
    case "paused":
      return (
        <>
          <RunView {...props} phase={phase} />
          {phase.kind === "paused" && <ReportView {...props} checked={phase.checked} />}
        </>
      );
    case "done":
      return <ReportView {...props} checked={phase.checked} isComplete />;
    case "correct":
      return <CorrectView {...props} phase={phase} />;
    default:
      return phase satisfies never;
  }
}

function CheckingStep({ count, onStop }: { count: number; onStop: () => void }) {
  const { reading, stop } = importTexts.value;
  return (
    <>
      <p role="status">{reading(formatNumber(count))}</p>
      <div class="buttons">
        <Button label={stop} onClick={onStop} />
      </div>
    </>
  );
}

/** What has happened before the files are chosen. */
function ChooseNotes({ setup: { files, toJob }, phase }: PhaseProps<"choose">) {
  const { earlier, undone, problem, isTooLarge } = phase;
  const own = importTexts.value;
  return (
    <>
      {earlier ? (
        <div class="notice good" role="status">
          <p>{own.correct.chosen(formatNumber(earlier.report.counts.refused))}</p>
        </div>
      ) : (
        <p>{own.intro}</p>
      )}
      {undone && <UndoneNote undone={undone} />}
      {problem && (
        <div class="notice bad" role="alert">
          <p>{problem}</p>
        </div>
      )}
      {isTooLarge && (
        <div role="alert">
          <p class="error">{own.tooLarge}</p>
          <CodeBlock name={own.command} text={toCommand({ ...toJob(), files: files.map(({ name }) => name) })} />
        </div>
      )}
    </>
  );
}

function UndoneNote({ undone: { removed, kept, restored, changedSince, refused } }: { undone: Undone }) {
  const { undo: own } = importTexts.value;
  return (
    <div class="notice good" role="status">
      {removed + kept > 0 && <p>{own.removed(formatNumber(removed), formatNumber(kept))}</p>}
      {restored + changedSince > 0 && <p>{own.restored(formatNumber(restored), formatNumber(changedSince))}</p>}
      {refused.length > 0 && <p>{own.refused(formatNumber(refused.length))}</p>}
    </div>
  );
}
