import { type Html, html } from "../../../html.ts";

/** An item of a list, with its actions at the end of the line. */
export interface Row {
  /** What it is; absent in a list of items of one kind. */
  readonly term?: string;
  readonly value: Html | string;
  /** Below the value. */
  readonly note?: Html | string | undefined;
  /** What the actions are about, for screen readers; by default the term. */
  readonly what?: string;
  readonly actions?: readonly Action[];
}

interface Action {
  readonly label: string;
  /** The page of the action or, with an `id`, where a button that needs no page of its own submits it. */
  readonly path: string;
  readonly id?: string;
}

/** @param token The form token of the session. */
export function rowList(rows: readonly Row[], token: string): Html {
  const names = toOwnNames(rows.map(({ term = "", what = term }) => what));
  return html`<ul class="rows">
${rows.map(
  ({ term, value, note, actions = [] }, index) =>
    html`<li>${term !== undefined && html`<div class="term">${term}</div>`}<div class="value">${value}${note !== undefined && html`<br><span class="small">${note}</span>`}</div>${actions.length > 0 && html`<div class="actions">${actions.map((action) => toButton(action, names[index], token))}</div>`}</li>\n`,
)}</ul>`;
}

/** Adds numbers to names that occur more than once, so that screen readers tell the actions of their rows apart. */
function toOwnNames(names: readonly string[]): readonly string[] {
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

/** A link or a button. Screen readers also read what it is about, which sighted people see in the row. */
function toButton({ label, path, id }: Action, what: string | undefined, token: string): Html {
  const text = html`${label}<span class="spoken">: ${what}</span>`;
  if (id === undefined) return html`<a class="button secondary" href="${path}">${text}</a>`;
  return html`<form method="post" action="${path}">
<input type="hidden" name="token" value="${token}">
<button class="secondary" name="id" value="${id}">${text}</button>
</form>`;
}
