import { COLUMN_FIELDS, NOT_IMPORTED, REQUIRED_FIELDS } from "../../../src/moving/columns/column-fields.ts";
import type { Column } from "../../../src/moving/columns/columns.ts";
import { toOptions } from "../../parts/field.tsx";
import { Table } from "../../parts/table.tsx";
import type { Bound } from "../../state/use-form.ts";
import { wordsFor } from "../../texts/words-for.ts";
import { importTexts } from "./texts/import-texts.ts";

/** The chosen fields: see `SetupValues`. */
type Chosen = Readonly<Record<string, string>>;

const isRequired = (field: string) => (REQUIRED_FIELDS as readonly string[]).includes(field);
const OTHER_FIELDS = COLUMN_FIELDS.filter((field) => !isRequired(field));

/** The columns of a table with some of their values, and the field that each becomes. */
export function ColumnPicker({ table, value: chosen, onInput }: Bound<Chosen> & { readonly table: readonly Column[] }) {
  const own = importTexts.value.columns;
  const fieldOf = (column: Column) => fieldIn(column, chosen);
  const rows = table.toSorted((one, other) => rankOf(fieldOf(one)) - rankOf(fieldOf(other)));
  const missing = REQUIRED_FIELDS.filter((field) => !table.some((column) => fieldOf(column) === field));
  const label = (field: string) => wordsFor(own.fields, field);
  const named = (field: string) => [field, label(field)] as const;
  return (
    <section class="part">
      <h2>{own.title}</h2>
      <p class="hint">{own.hint}</p>
      {missing.length > 0 && <p role="status">{own.missing(missing.map(label).join(", "))}</p>}
      <Table
        label={own.title}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          [own.column, ({ name }) => name, { class: "wrap" }],
          [own.values, ({ samples }) => samples.join(", "), { class: "wrap" }],
          [
            own.field,
            (column) => (
              <select
                aria-label={`${own.field}: ${column.name}`}
                value={fieldOf(column)}
                onChange={({ currentTarget: { value } }) => onInput(choose(chosen, column, value))}
              >
                <optgroup label={own.required}>{toOptions(REQUIRED_FIELDS.map(named))}</optgroup>
                <optgroup label={own.others}>
                  {toOptions(OTHER_FIELDS.map(named))}
                  <option value={toMetadata(column)}>{own.metadata}</option>
                  <option value={toLink(column)}>{own.link}</option>
                </optgroup>
                <option value={NOT_IMPORTED}>{own.none}</option>
              </select>
            ),
          ],
        ]}
      />
    </section>
  );
}

/** What is chosen, otherwise what the name says, unless another column was chosen for it. */
function fieldIn({ name, field }: Column, chosen: Chosen): string {
  const given = Object.hasOwn(chosen, name) ? chosen[name] : undefined;
  if (given !== undefined) return given;
  return field === undefined || Object.values(chosen).includes(field) ? NOT_IMPORTED : field;
}

/** Only what differs from what the name says, so that the same import of the command is the same run. */
function choose(chosen: Chosen, column: Column, value: string): Chosen {
  const { [column.name]: _, ...others } = chosen;
  return fieldIn(column, others) === value ? others : { ...others, [column.name]: value };
}

/** The order of the table: required fields, others, and columns that are not imported. */
function rankOf(field: string): number {
  if (field === NOT_IMPORTED) return COLUMN_FIELDS.length + REQUIRED_FIELDS.length + 1;
  const required = (REQUIRED_FIELDS as readonly string[]).indexOf(field);
  if (required !== -1) return required;
  const other = (COLUMN_FIELDS as readonly string[]).indexOf(field);
  return REQUIRED_FIELDS.length + (other === -1 ? COLUMN_FIELDS.length : other);
}

function toMetadata({ name }: Column): string {
  return `metadata.${name}`;
}

/** `google_id` becomes `google`. */
function toLink({ name }: Column): string {
  return `link.${name.replace(/[\s_-]*id$/i, "") || name}`;
}
