import type { Tallied } from "../../../src/moving/checking/count-by.ts";
import { TableArea } from "../../parts/table-area.tsx";
import { formatNumber } from "../../parts/time.tsx";
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
      <TableArea label={title} isCurrent>
        <table>
          <thead>
            <tr>
              <th scope="col">{own.what}</th>
              <th scope="col">{own.users}</th>
              {hasExamples && <th scope="col">{own.first}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ text, count, examples }) => (
              <tr key={text}>
                <td class="wrap">{withLabels(text, own)}</td>
                <td>{formatNumber(count)}</td>
                {hasExamples && <td class="wrap">{examples.join(", ")}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </TableArea>
    </section>
  );
}
