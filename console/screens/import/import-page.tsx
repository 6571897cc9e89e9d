import { useEffect, useState } from "preact/hooks";
import type { Column } from "../../../src/moving/columns/columns.ts";
import { Button } from "../../parts/button.tsx";
import { Page, Skeleton } from "../../parts/screen.tsx";
import { Steps } from "../../parts/steps.tsx";
import { CodeBlock, formatNumber } from "../../parts/values.tsx";
import { usePermissions } from "../../state/permissions.ts";
import { stored } from "../../state/preferences.ts";
import { useApi, useSession } from "../../state/session.ts";
import { CorrectView } from "./correct-view.tsx";
import type { CheckedImport } from "./engine.ts";
import { Preview } from "./preview.tsx";
import type { RefusedTable } from "./refused-table.ts";
import { ReportView, RunView } from "./report-view.tsx";
import { EMPTY, toCommand, toOptions } from "./setup.ts";
import { SetupForm } from "./setup-form.tsx";
import { hasImportTexts, importTexts } from "./texts/import-texts.ts";
import type { Undone } from "./undo.ts";
import { type Phase, useImport } from "./use-import.ts";

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

interface StepProps {
  readonly run: ReturnType<typeof useImport>;
  readonly setup: ReturnType<typeof useSetup>;
  readonly mayRemove: boolean;
}

function CurrentStep(props: StepProps) {
  const { phase, start, stop } = props.run;
  switch (phase.kind) {
    case "choose":
      return <ChooseStep {...props} phase={phase} />;
    case "checking":
      return <CheckingStep count={phase.count} onStop={stop} />;
    case "preview":
      return <PreviewStep {...props} phase={phase} />;
    case "running":
    case "paused":
      return (
        <>
          <RunView phase={phase} onPause={stop} onContinue={() => void start(phase.checked)} />
          {phase.kind === "paused" && <ReportStep {...props} checked={phase.checked} />}
        </>
      );
    case "done":
      return <ReportStep {...props} checked={phase.checked} isComplete />;
    case "correct":
      return <CorrectStep {...props} phase={phase} />;
    default:
      return phase satisfies never;
  }
}

/** What the person has chosen: the files and the options. */
function useSetup(orgId: string) {
  const { settings, instance, me } = useSession();
  const api = useApi(orgId);
  const [values, setValues] = useState(EMPTY);
  const [files, setFiles] = useState<readonly File[]>([]);
  const table = useTable(values.from === "csv" ? files : NO_FILES, (columns) =>
    setValues((before) => ({ ...before, columns })),
  );
  const mayKeepSubjects = instance.can("user.write");
  const toJob = (chosen = values, from = files) => {
    const options = toOptions(chosen, mayKeepSubjects);
    return { api, issuer: settings.issuer, orgId, callerId: me.id, from: chosen.from, files: from, options };
  };
  return { values, setValues, files, setFiles, table, mayKeepSubjects, toJob };
}

type PhaseOf<Kind extends Phase["kind"]> = { readonly phase: Extract<Phase, { kind: Kind }> };

function ChooseStep({ run: { check, reset }, setup, phase }: StepProps & PhaseOf<"choose">) {
  const { values, setValues, files, setFiles, table, mayKeepSubjects, toJob } = setup;
  const { earlier } = phase;
  return (
    <>
      <ChooseNotes phase={phase} toText={() => toCommand({ ...toJob(), files: files.map(({ name }) => name) })} />
      <SetupForm
        {...{ values, files, table, mayKeepSubjects }}
        onChange={(changes) => setValues({ ...values, ...changes })}
        onFiles={(chosen) => {
          setFiles(chosen);
          // Other files are another import.
          if (earlier !== undefined) reset();
        }}
        onCheck={() => {
          KEPT_COLUMNS.value = values.columns;
          void check(toJob(), earlier);
        }}
      />
    </>
  );
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

function PreviewStep({ run: { check, start, reset }, setup, phase }: StepProps & PhaseOf<"preview">) {
  const { values, setValues, toJob } = setup;
  const { checked, earlier } = phase;
  return (
    <Preview
      checked={checked}
      idps={values.idps}
      onCheck={(idps) => {
        const chosen = { ...values, idps };
        setValues(chosen);
        void check(toJob(chosen), earlier);
      }}
      onStart={() => void start(checked)}
      onBack={() => reset({ earlier })}
    />
  );
}

interface ReportStepProps extends StepProps {
  readonly checked: CheckedImport;
  readonly isComplete?: boolean;
}

function ReportStep({ run: { correct, reset }, setup, checked, isComplete = false, mayRemove }: ReportStepProps) {
  const correctRefused = async () => {
    const table = await checked.refusedTable();
    if (table !== undefined) return correct(checked, table);
    setup.setFiles(await checked.refusedFiles());
    reset({ earlier: checked });
  };
  return (
    <ReportView
      {...{ checked, isComplete, mayRemove }}
      onCorrect={correctRefused}
      onAnother={() => {
        setup.setFiles([]);
        reset();
      }}
      onUndone={(undone) => reset({ undone })}
    />
  );
}

function CorrectStep({ run, setup, phase: { checked, table } }: StepProps & PhaseOf<"correct">) {
  const { values, setFiles, toJob } = setup;
  return (
    <CorrectView
      table={table}
      onCheck={(corrected) => {
        const files = [toCsv(checked, corrected)];
        setFiles(files);
        void run.check(toJob(values, files), checked);
      }}
      onOptions={(corrected) => {
        setFiles([toCsv(checked, corrected)]);
        run.reset({ earlier: checked });
      }}
      onBack={() => run.showReport(checked)}
    />
  );
}

/** The corrected records as CSV (RFC 4180), of which each round has another file. */
function toCsv({ rounds }: CheckedImport, { columns, rows }: RefusedTable): File {
  const toLine = (values: readonly string[]) => values.map((value) => `"${value.replaceAll('"', '""')}"`).join(",");
  const lines = [columns, ...rows.map(({ values }) => values)].map((values) => `${toLine(values)}\n`);
  return new File(lines, `refused-${rounds.length}.csv`, { type: "text/csv" });
}

interface ChooseNotesProps extends PhaseOf<"choose"> {
  /** Writes the command that imports the same. */
  readonly toText: () => string;
}

/** What has happened before the files are chosen. */
function ChooseNotes({ phase: { earlier, undone, problem, isTooLarge }, toText }: ChooseNotesProps) {
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
          <CodeBlock name={own.command} text={toText()} />
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

/** What was chosen for the columns of the last import, for the next file with the same ones. */
const KEPT_COLUMNS = stored<Readonly<Record<string, string>>>("signet-import-columns", {});

const NO_FILES: readonly File[] = [];

/**
 * The columns of a table; undefined while they are read, and none if the files cannot be read, which the check reports.
 *
 * @param onRead Gets what the last import chose for the columns of new files, and the guesses for others.
 */
function useTable(files: readonly File[], onRead: (columns: Readonly<Record<string, string>>) => void) {
  const [read, setRead] = useState<{ readonly files: readonly File[]; readonly table: readonly Column[] }>();
  useEffect(() => {
    if (files.length === 0) return;
    let isCurrent = true;
    const load = async () => (await import("./engine.ts")).readTable(files);
    void load()
      .catch(() => [])
      .then((table) => {
        if (!isCurrent) return;
        const kept = KEPT_COLUMNS.peek();
        const chosen = table.map(({ name, guess }) => [name, Object.hasOwn(kept, name) ? kept[name] : guess]);
        onRead(Object.fromEntries(chosen.filter(([, field]) => field !== undefined)));
        setRead({ files, table });
      });
    return () => {
      isCurrent = false;
    };
  }, [files]);
  if (files.length === 0) return [];
  return read?.files === files ? read.table : undefined;
}
