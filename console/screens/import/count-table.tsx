import type { Tallied } from "../../../src/moving/checking/count-by.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { formatNumber } from "../../parts/values.tsx";
import type { ImportTexts } from "./texts/en.ts";
import { importTexts } from "./texts/import-texts.ts";
import { withLabels } from "./with-labels.ts";

interface PartTableProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly columns: readonly (Column<Row> | false)[];
  /** The number of rows that are not shown. */
  readonly more?: number;
}

/** A part of the page with a table. Nothing if it is empty. */
export function PartTable<Row>({ title, more = 0, ...table }: PartTableProps<Row>) {
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
