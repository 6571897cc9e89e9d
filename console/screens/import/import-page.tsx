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
  return hasImportTexts.value ? <Import orgId={orgId} /> : <main id="main" tabIndex={-1} />;
}

function Import({ orgId }: { orgId: string }) {
  const { settings, instance, me } = useSession();
  const api = useApi(orgId);
  const own = importTexts.value;
  const allowed = usePermissions(orgId).value;
  const [values, setValues] = useState(EMPTY);
  const [files, setFiles] = useState<readonly File[]>([]);
  const { phase, check, start, stop, correct, showReport, reset } = useImport();
  const earlier = "earlier" in phase ? phase.earlier : undefined;
  const { from } = values;
  const table = useTable(from === "csv" ? files : NO_FILES, (columns) =>
    setValues((before) => ({ ...before, columns })),
  );
  if (!allowed?.can("user.write"))
    return <Page title={own.title}>{allowed ? <p>{own.notAllowed}</p> : <Skeleton isShown={false} />}</Page>;
  const mayKeepSubjects = instance.can("user.write");
  const job = (chosen = values, from = files) => {
    const options = toOptions(chosen, mayKeepSubjects);
    return { api, issuer: settings.issuer, orgId, callerId: me.id, from: chosen.from, files: from, options };
  };
  return (
    <Page title={own.title}>
      <Steps
        names={[own.steps.choose, own.steps.preview, own.steps.run, own.steps.report]}
        current={STEP[phase.kind]}
      />
      {phase.kind === "choose" && (
        <>
          <ChooseNotes phase={phase} toText={() => toCommand({ ...job(), files: files.map(({ name }) => name) })} />
          <SetupForm
            values={values}
            onChange={(changes) => setValues({ ...values, ...changes })}
            files={files}
            table={table}
            onFiles={(chosen) => {
              setFiles(chosen);
              // Other files are another import.
              if (earlier !== undefined) reset();
            }}
            mayKeepSubjects={mayKeepSubjects}
            onCheck={() => {
              KEPT_COLUMNS.value = values.columns;
              void check(job(), earlier);
            }}
          />
        </>
      )}
      {phase.kind === "checking" && (
        <>
          <p role="status">{own.reading(formatNumber(phase.count))}</p>
          <div class="buttons">
            <Button label={own.stop} onClick={stop} />
          </div>
        </>
      )}
      {phase.kind === "preview" && (
        <Preview
          checked={phase.checked}
          idps={values.idps}
          onCheck={(idps) => {
            const chosen = { ...values, idps };
            setValues(chosen);
            void check(job(chosen), earlier);
          }}
          onStart={() => void start(phase.checked)}
          onBack={() => reset({ earlier })}
        />
      )}
      {(phase.kind === "running" || phase.kind === "paused") && (
        <RunView phase={phase} onPause={stop} onContinue={() => void start(phase.checked)} />
      )}
      {(phase.kind === "paused" || phase.kind === "done") && (
        <ReportView
          checked={phase.checked}
          isComplete={phase.kind === "done"}
          mayRemove={allowed.can("user.delete")}
          onCorrect={async () => {
            const table = await phase.checked.refusedTable();
            if (table !== undefined) {
              correct(phase.checked, table);
              return;
            }
            setFiles(await phase.checked.refusedFiles());
            reset({ earlier: phase.checked });
          }}
          onAnother={() => {
            setFiles([]);
            reset();
          }}
          onUndone={(undone) => reset({ undone })}
        />
      )}
      {phase.kind === "correct" && (
        <CorrectView
          table={phase.table}
          onCheck={(table) => {
            const corrected = [toCsv(phase.checked, table)];
            setFiles(corrected);
            void check(job(values, corrected), phase.checked);
          }}
          onOptions={(table) => {
            setFiles([toCsv(phase.checked, table)]);
            reset({ earlier: phase.checked });
          }}
          onBack={() => showReport(phase.checked)}
        />
      )}
    </Page>
  );
}

/** The corrected records as CSV (RFC 4180), of which each round has another file. */
function toCsv({ rounds }: CheckedImport, { columns, rows }: RefusedTable): File {
  const toLine = (values: readonly string[]) => values.map((value) => `"${value.replaceAll('"', '""')}"`).join(",");
  const lines = [columns, ...rows.map(({ values }) => values)].map((values) => `${toLine(values)}\n`);
  return new File(lines, `refused-${rounds.length}.csv`, { type: "text/csv" });
}

interface ChooseNotesProps {
  readonly phase: Extract<Phase, { kind: "choose" }>;
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
