import { useEffect, useState } from "preact/hooks";
import type { Column } from "../../../src/moving/columns/columns.ts";
import { stored } from "../../state/preferences.ts";
import { useApi, useSession } from "../../state/session.ts";
import { EMPTY, toOptions } from "./setup.ts";
import type { Phase, useImport } from "./use-import.ts";

/** What each step of an import gets. */
export interface StepProps {
  readonly run: ReturnType<typeof useImport>;
  readonly setup: ReturnType<typeof useSetup>;
  /** Whether the person may remove users. */
  readonly mayRemove: boolean;
}

/** The same for the step of a phase. */
export interface PhaseProps<Kind extends Phase["kind"]> extends StepProps {
  readonly phase: Extract<Phase, { kind: Kind }>;
}

/** What the person has chosen: the files and the options. */
export function useSetup(orgId: string) {
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
  const keepColumns = () => {
    KEPT_COLUMNS.value = values.columns;
  };
  return { values, setValues, files, setFiles, table, mayKeepSubjects, toJob, keepColumns };
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
