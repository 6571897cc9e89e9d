import type { Tallied } from "../../../src/moving/checking/count-by.ts";
import { Table } from "../../parts/table.tsx";
import { formatNumber } from "../../parts/values.tsx";
import { importTexts } from "./texts/import-texts.ts";
import { withLabels } from "./with-labels.ts";

/** A table of texts with their counts, and the first places of each. Nothing if it is empty. */
export function CountTable({ title, rows }: { title: string; rows: readonly Tallied[] }) {
  const own = importTexts.value;
  if (rows.length === 0) return null;
  const hasExamples = rows.some(({ examples }) => examples.length > 0);
  return (
    <section class="part">
      <h2>{title}</h2>
      <Table
        label={title}
        rows={rows}
        keyOf={({ text }) => text}
        isUnnamed
        columns={[
          [own.what, ({ text }) => withLabels(text, own), { class: "wrap" }],
          [own.users, ({ count }) => formatNumber(count)],
          hasExamples && [own.first, ({ examples }) => examples.join(", "), { class: "wrap" }],
        ]}
      />
    </section>
  );
}
