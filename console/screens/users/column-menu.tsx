import { texts } from "../../state/language.ts";
import { ALL_COLUMNS, type Column, shownColumns } from "./columns.tsx";

/** Chooses the columns of the table. */
export function ColumnMenu() {
  const { users } = texts.value;
  const shown = shownColumns.value;
  const toggle = (column: Column) => {
    const next = ALL_COLUMNS.filter((each) => (each === column ? !shown.includes(each) : shown.includes(each)));
    shownColumns.value = next;
  };
  return (
    <details class="columns">
      <summary>{users.columnsMenu}</summary>
      <fieldset>
        <legend class="spoken">{users.columnsMenu}</legend>
        {ALL_COLUMNS.map((column) => (
          <label class="check" key={column}>
            <input type="checkbox" checked={shown.includes(column)} onChange={() => toggle(column)} />
            {users.columns[column]}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
