import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Table } from "../../parts/table.tsx";
import { problemWords } from "./message-words.ts";
import { importTexts } from "./texts/import-texts.ts";
import type { PhaseProps } from "./use-setup.ts";

/** After the report: the refused rows of a table, to be corrected and imported. */
export function CorrectView({ run, setup, phase: { checked, table } }: PhaseProps<"correct">) {
  const own = importTexts.value;
  const { values, setFiles, toJob } = setup;
  const [rows, setRows] = useState(table.rows);
  const takeCorrected = () => {
    // Each round has another file.
    const files = [toCsv(`refused-${checked.rounds.length}.csv`, [table.columns, ...rows.map((row) => row.values)])];
    setFiles(files);
    return files;
  };
  const leaveForOptions = () => {
    takeCorrected();
    run.reset({ earlier: checked });
  };
  const setValue = (changed: number, at: number, value: string) =>
    setRows(rows.map((row) => (row.line === changed ? { ...row, values: row.values.with(at, value) } : row)));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run.check(toJob(values, takeCorrected()), checked);
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
        <Button label={own.correct.options} onClick={leaveForOptions} />
        <Button label={own.correct.back} onClick={() => run.showReport(checked)} />
      </div>
    </form>
  );
}

/** Rows as CSV (RFC 4180). */
function toCsv(name: string, rows: readonly (readonly string[])[]): File {
  const toLine = (values: readonly string[]) => values.map((value) => `"${value.replaceAll('"', '""')}"`).join(",");
  const lines = rows.map((values) => `${toLine(values)}\n`);
  return new File(lines, name, { type: "text/csv" });
}
