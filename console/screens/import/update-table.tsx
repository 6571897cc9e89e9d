import type { Outcome } from "../../../src/moving/report/outcome.ts";
import type { StoredValue } from "../../../src/moving/running/stored-values.ts";
import { isVerified, textOf } from "../../../src/moving/running/value-text.ts";
import { texts as common } from "../../state/language.ts";
import { wordsFor } from "../../texts/words-for.ts";
import { PartTable } from "./count-table.tsx";
import { fieldWords } from "./field-words.ts";
import { MOST_ROWS } from "./limits.ts";
import { importTexts } from "./texts/import-texts.ts";

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
