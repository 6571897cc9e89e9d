import { useState } from "preact/hooks";
import { OUTCOMES, type Outcome } from "../../../src/moving/report/outcome.ts";
import { TableArea } from "../../parts/table-area.tsx";
import { formatNumber } from "../../parts/time.tsx";
import { texts as common } from "../../state/language.ts";
import { CountTable } from "./count-table.tsx";
import { saveFile } from "./save-file.ts";
import { importTexts } from "./texts/import-texts.ts";
import { UndoDialog, type UndoDialogProps } from "./undo-dialog.tsx";
import { withLabels } from "./with-labels.ts";

interface ReportViewProps extends Pick<UndoDialogProps, "checked" | "onUndone"> {
  readonly isComplete: boolean;
  readonly mayUndo: boolean;
  readonly onAnother: () => void;
}

/** Rows of a table; the others are in the file. */
const MOST_ROWS = 100;

/** The last step: what became of the records, as far as the import is. */
export function ReportView({ checked, isComplete, mayUndo, onAnother, onUndone }: ReportViewProps) {
  const own = importTexts.value;
  const { report, run } = checked;
  const [isUndoing, setUndoing] = useState(false);
  const saveRefused = async () => {
    for (const file of await checked.refusedFiles()) saveFile(file);
  };
  return (
    <>
      {isComplete && (
        <div class="notice good" role="status">
          <p>{own.complete}</p>
        </div>
      )}
      <dl class="counts">
        {OUTCOMES.map((name) => (
          <div key={name}>
            <dt>{own.outcomes[name]}</dt>
            <dd>{formatNumber(report.counts[name])}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        {own.runName}: <code>{run}</code>
      </p>
      <div class="buttons">
        <button type="button" class="secondary" onClick={() => saveFile(report.toFile(`${run}.ndjson`))}>
          {own.downloadReport}
        </button>
        {report.counts.refused > 0 && (
          <button type="button" class="secondary" onClick={saveRefused}>
            {own.downloadRefused}
          </button>
        )}
        {mayUndo && report.counts.imported > 0 && (
          <button type="button" class="secondary danger" onClick={() => setUndoing(true)}>
            {own.undo.button}
          </button>
        )}
        {isComplete && (
          <button type="button" onClick={onAnother}>
            {own.another}
          </button>
        )}
      </div>
      {report.counts.refused > 0 && <p class="hint">{own.refusedHint}</p>}
      <CountTable
        title={own.warnings}
        rows={Object.entries(report.warnings).map(([reason, count]) => ({
          text: common.value.users.warningReasons[reason] ?? reason,
          count,
          examples: [],
        }))}
      />
      <OutcomeTable
        title={own.refusals}
        rows={report.outcomes.flatMap((each) =>
          each.outcome === "refused" ? { ...each, texts: problemsOf(each) } : [],
        )}
      />
      <OutcomeTable
        title={own.differences}
        rows={report.outcomes.flatMap((each) => (each.outcome === "differs" ? { ...each, texts: each.fields } : []))}
      />
      {isUndoing && <UndoDialog checked={checked} onClose={() => setUndoing(false)} onUndone={onUndone} />}
    </>
  );
}

function problemsOf({ problems }: Extract<Outcome, { outcome: "refused" }>): string[] {
  return problems.map(({ field, description }) => (field === "" ? description : `${field}: ${description}`));
}

interface Row {
  readonly n: number;
  readonly file: string;
  readonly line: number;
  readonly sourceId?: string;
  readonly texts: readonly string[];
}

function OutcomeTable({ title, rows }: { title: string; rows: readonly Row[] }) {
  const own = importTexts.value;
  if (rows.length === 0) return null;
  const shown = rows.toSorted((one, other) => one.n - other.n).slice(0, MOST_ROWS);
  return (
    <section class="part">
      <h2>{title}</h2>
      <TableArea label={title} isCurrent>
        <table>
          <thead>
            <tr>
              <th scope="col">{own.place}</th>
              <th scope="col">{own.id}</th>
              <th scope="col">{own.problem}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ n, file, line, sourceId, texts }) => (
              <tr key={n}>
                <td>
                  {file}:{line}
                </td>
                <td>{sourceId}</td>
                <td class="wrap">{withLabels(texts.join("; "), own)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableArea>
      {rows.length > shown.length && <p class="hint">{own.more(formatNumber(rows.length - shown.length))}</p>}
    </section>
  );
}
