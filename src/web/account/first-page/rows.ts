import { type Html, html } from "../../../html.ts";

/** An item of a list, with its actions at the end of the line. */
export interface Row {
  /** What it is; absent in a list of items of one kind. */
  readonly term?: string;
  readonly value: Html | string;
  /** Below the value. */
  readonly note?: Html | string | undefined;
  readonly actions?: readonly Html[];
}

export function rowList(rows: readonly Row[]): Html {
  return html`<ul class="rows">
${rows.map(
  ({ term, value, note, actions = [] }) =>
    html`<li>${term !== undefined && html`<div class="term">${term}</div>`}<div class="value">${value}${note !== undefined && html`<br><span class="small">${note}</span>`}</div>${actions.length > 0 && html`<div class="actions">${actions}</div>`}</li>\n`,
)}</ul>`;
}

/** Adds numbers to names that occur more than once, so that screen readers tell the actions of their rows apart. */
export function toOwnNames(names: readonly string[]): readonly string[] {
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

/** A link to the page of an action. Screen readers also read what it is about, which sighted people see in the row. */
export function actionLink(path: string, label: string, what: string): Html {
  return html`<a class="button secondary" href="${path}">${label}<span class="spoken">: ${what}</span></a>`;
}

/** A button for an action that needs no page of its own. */
export function actionButton(action: {
  path: string;
  token: string;
  label: string;
  what: string;
  value?: string;
}): Html {
  const { path, token, label, what, value } = action;
  return html`<form method="post" action="${path}">
<input type="hidden" name="token" value="${token}">
<button class="secondary"${value !== undefined && html` name="id" value="${value}"`}>${label}<span class="spoken">: ${what}</span></button>
</form>`;
}
