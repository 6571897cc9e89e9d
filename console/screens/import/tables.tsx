import type { Tallied } from "../../../src/moving/checking/count-by.ts";
import type { Outcome } from "../../../src/moving/report/outcome.ts";
import type { StoredValue } from "../../../src/moving/running/stored-values.ts";
import { isVerified, textOf } from "../../../src/moving/running/value-text.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { formatNumber } from "../../parts/values.tsx";
import { texts as common } from "../../state/language.ts";
import { wordsFor } from "../../texts/words-for.ts";
import { MOST_ROWS } from "./limits.ts";
import type { ImportTexts } from "./texts/en.ts";
import { importTexts } from "./texts/import-texts.ts";
import { fieldWords, withLabels } from "./words.ts";

interface PartTableProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly (Column<Row> | false)[];
  /** The number of rows that are not shown. */
  readonly more?: number;
}

/** A part of the page with a table. Nothing if it is empty. */
function PartTable<Row>({ title, more = 0, ...table }: PartTableProps<Row>) {
  if (table.rows.length === 0) return null;
  return (
    <section class="part">
      <h2>{title}</h2>
      <Table label={title} nameAt={-1} {...table} />
      {more > 0 && <p class="hint">{importTexts.value.more(formatNumber(more))}</p>}
    </section>
  );
}

interface CountTableProps {
  readonly title: string;
  readonly rows: readonly Tallied[];
  /** A text of the check in the language of the page. */
  readonly wordsOf?: (text: string, texts: ImportTexts) => string;
}

/** A table of texts with their counts, and the first places of each. */
export function CountTable({ title, rows, wordsOf = withLabels }: CountTableProps) {
  const own = importTexts.value;
  const hasExamples = rows.some(({ examples }) => examples.length > 0);
  return (
    <PartTable
      title={title}
      rows={rows}
      keyOf={({ text }) => text}
      columns={[
        [own.what, ({ text }) => wordsOf(text, own), { class: "wrap" }],
        [own.users, ({ count }) => formatNumber(count)],
        hasExamples && [own.first, ({ examples }) => examples.join(", "), { class: "wrap" }],
      ]}
    />
  );
}

interface OutcomeTableProps<Row> {
  readonly title: string;
  readonly outcomes: readonly Row[];
  readonly textsOf: (outcome: Row) => readonly string[];
}

/** The places of some records, with what is to be said about each. */
export function OutcomeTable<Row extends Outcome>({ title, outcomes, textsOf }: OutcomeTableProps<Row>) {
  const own = importTexts.value;
  const shown = outcomes.toSorted((one, other) => one.n - other.n).slice(0, MOST_ROWS);
  return (
    <PartTable
      title={title}
      rows={shown}
      keyOf={({ file, n }) => `${file} ${n}`}
      columns={[
        [own.place, ({ file, line }) => `${file}:${line}`],
        [own.id, ({ sourceId }) => sourceId],
        [own.problem, (outcome) => textsOf(outcome).join("; "), { class: "wrap" }],
      ]}
      more={outcomes.length - shown.length}
    />
  );
}

interface UpdateTableProps {
  readonly title: string;
  /** Those of other kinds are left out. */
  readonly outcomes: readonly Outcome[];
  /** The number of users, of whom `outcomes` may have only the first. */
  readonly total?: number;
}

/** What an update changes of each user: the values before and after. */
export function UpdateTable({ title, outcomes, total }: UpdateTableProps) {
  const own = importTexts.value;
  const updated = outcomes.flatMap((each) => (each.outcome === "updated" ? each : []));
  const shown = updated.toSorted((one, other) => one.n - other.n).slice(0, MOST_ROWS);
  return (
    <PartTable
      title={title}
      rows={shown.flatMap(({ file, n, sourceId, changes }) => changes.map((change) => ({ file, n, sourceId, change })))}
      keyOf={({ file, n, change }) => `${file} ${n} ${change.field}`}
      columns={[
        [own.id, ({ sourceId }) => sourceId],
        [own.columns.field, ({ change }) => fieldWords(change.field, own)],
        [own.before, ({ change: { field, from } }) => showValue(field, from), { class: "wrap" }],
        [own.after, ({ change: { field, to } }) => showValue(field, to), { class: "wrap" }],
      ]}
      more={(total ?? updated.length) - shown.length}
    />
  );
}

function showValue(field: string, value: StoredValue): string {
  const { genders, verified } = common.value.user;
  const text = textOf(field, value);
  if (field === "profile.gender") return wordsFor(genders, String(text ?? 0));
  if (text === null) return "–";
  return isVerified(value) ? `${text} (${verified})` : String(text);
}
