import { type Html, html } from "../../messages/html.ts";

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** What is wrong with what was entered. */
  readonly error?: string | undefined;
  /** Attributes of the input besides. */
  readonly attributes: Html;
}

/**
 * An input with its label, its hint and what is wrong with it, tied together for those who do not see them. What was
 * entered never comes back. Where something is wrong the input has the focus.
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
