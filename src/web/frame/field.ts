import { type Html, html } from "../../messages/html.ts";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** The problem of the submitted value. */
  readonly error?: string | undefined;
  /** Further attributes of the input. */
  readonly attributes: Html;
}

/**
 * An input with its label, hint and error, which are linked for screen readers. The submitted value is never
 * rendered again. An input with an error gets the focus.
 */
export function field({ name, label, hint, error, attributes }: Field): Html {
  const [hintId, errorId] = [`${name}-hint`, `${name}-error`];
  const describedBy = [...(hint === undefined ? [] : [hintId]), ...(error === undefined ? [] : [errorId])];
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${hintId}">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${errorId}" role="alert">${error}</p>`}
<input id="${name}" name="${name}" ${attributes}${describedBy.length > 0 && html` aria-describedby="${describedBy.join(" ")}"`}${error !== undefined && html` aria-invalid="true" autofocus`}>
</div>`;
}
