import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Table } from "../../parts/table.tsx";
import { problemWords } from "./message-words.ts";
import type { RefusedTable } from "./refused-table.ts";
import { importTexts } from "./texts/import-texts.ts";

interface CorrectViewProps {
  readonly table: RefusedTable;
  readonly onCheck: (corrected: RefusedTable) => void;
  /** Gets the table as it is, for another choice of the options. */
  readonly onOptions: (corrected: RefusedTable) => void;
  readonly onBack: () => void;
}

/** After the report: the refused rows of a table, to be corrected and imported. */
export function CorrectView({ table, onCheck, onOptions, onBack }: CorrectViewProps) {
  const own = importTexts.value;
  const [rows, setRows] = useState(table.rows);
  const corrected = { ...table, rows };
  const setValue = (changed: number, at: number, value: string) =>
    setRows(rows.map((row) => (row.line === changed ? { ...row, values: row.values.with(at, value) } : row)));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onCheck(corrected);
      }}
    >
      <p>{own.correct.intro}</p>
      <Table
        label={own.refusals}
        rows={rows}
        keyOf={({ line }) => String(line)}
        columns={[
          [own.place, ({ line }) => line],
          [
            own.problem,
            ({ problems }) => problems.map((problem) => problemWords(problem, own)).join("; "),
            { class: "wrap" },
          ],
          ...table.columns.map(
            (column, at) =>
              [
                column,
                ({ line, values }: (typeof rows)[number]) => (
                  <input
                    class="cell"
                    aria-label={own.correct.value(column, line)}
                    value={values[at]}
                    autocomplete="off"
                    spellcheck={false}
                    onInput={(event) => setValue(line, at, event.currentTarget.value)}
                  />
                ),
              ] as const,
          ),
        ]}
      />
      <div class="buttons">
        <button type="submit">{own.check}</button>
        <Button label={own.correct.options} onClick={() => onOptions(corrected)} />
        <Button label={own.correct.back} onClick={onBack} />
      </div>
    </form>
  );
}
