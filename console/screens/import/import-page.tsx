import { useState } from "preact/hooks";
import { CodeBlock } from "../../parts/code-block.tsx";
import { Page } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Steps } from "../../parts/steps.tsx";
import { formatNumber } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { usePermissions } from "../../state/permissions.ts";
import { Preview } from "./preview.tsx";
import { ReportView } from "./report-view.tsx";
import { RunView } from "./run-view.tsx";
import { EMPTY, toCommand, toOptions } from "./setup.ts";
import { SetupForm } from "./setup-form.tsx";
import { importTexts } from "./texts/import-texts.ts";
import { type Phase, useImport } from "./use-import.ts";

const STEP: Readonly<Record<Phase["kind"], number>> = {
  choose: 0,
  checking: 0,
  preview: 1,
  running: 2,
  paused: 2,
  done: 3,
};

/** Imports the users of another system: choose a file, see what will happen, import, see what has happened. */
export function ImportPage({ orgId }: { orgId: string }) {
  const { api, settings, instance } = useSession();
  const own = importTexts.value;
  const allowed = usePermissions(orgId).value;
  const [values, setValues] = useState(EMPTY);
  const [files, setFiles] = useState<readonly File[]>([]);
  const { phase, check, start, stop, reset } = useImport();
  if (allowed === undefined) {
    return (
      <Page title={own.title}>
        <Skeleton isShown={false} />
      </Page>
    );
  }
  if (!allowed.can("user.write")) {
    return (
      <Page title={own.title}>
        <p>{own.notAllowed}</p>
      </Page>
    );
  }
  const mayKeepSubjects = instance.can("user.write");
  const job = (chosen = values) => {
    const options = toOptions(chosen, mayKeepSubjects);
    return { api, issuer: settings.issuer, orgId, from: chosen.from, files, options };
  };
  return (
    <Page title={own.title}>
      <Steps
        names={[own.steps.choose, own.steps.preview, own.steps.run, own.steps.report]}
        current={STEP[phase.kind]}
      />
      {phase.kind === "choose" && (
        <>
          <p>{own.intro}</p>
          {phase.removed && (
            <div class="notice good" role="status">
              <p>{own.undo.removed(formatNumber(phase.removed.removed), formatNumber(phase.removed.kept))}</p>
              {phase.removed.refused.length > 0 && (
                <p>{own.undo.refused(formatNumber(phase.removed.refused.length))}</p>
              )}
            </div>
          )}
          {phase.problem && (
            <div class="notice bad" role="alert">
              <p>{phase.problem}</p>
            </div>
          )}
          {phase.isTooLarge && (
            <div role="alert">
              <p class="error">{own.tooLarge}</p>
              <CodeBlock name={own.command} text={toCommand({ ...job(), files: files.map(({ name }) => name) })} />
            </div>
          )}
          <SetupForm
            values={values}
            onChange={(changes) => setValues({ ...values, ...changes })}
            files={files}
            onFiles={setFiles}
            mayKeepSubjects={mayKeepSubjects}
            onCheck={() => void check(job())}
          />
        </>
      )}
      {phase.kind === "checking" && (
        <>
          <p role="status">{own.reading(formatNumber(phase.count))}</p>
          <div class="buttons">
            <button type="button" class="secondary" onClick={stop}>
              {own.stop}
            </button>
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
            void check(job(chosen));
          }}
          onStart={() => void start(phase.checked)}
          onBack={() => reset()}
        />
      )}
      {(phase.kind === "running" || phase.kind === "paused") && (
        <RunView phase={phase} onPause={stop} onContinue={() => void start(phase.checked)} />
      )}
      {(phase.kind === "paused" || phase.kind === "done") && (
        <ReportView
          checked={phase.checked}
          isComplete={phase.kind === "done"}
          mayUndo={allowed.can("user.delete")}
          onAnother={() => {
            setFiles([]);
            reset();
          }}
          onUndone={reset}
        />
      )}
    </Page>
  );
}
