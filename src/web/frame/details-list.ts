import { type Html, html } from "../../html.ts";

/** A list of terms and descriptions. Empty descriptions are omitted. */
export function detailsList(details: readonly (readonly [term: string, description: string | Html])[]): Html {
  const known = details.filter(([, description]) => description !== "");
  return html`<dl>
${known.map(([term, description]) => html`<dt>${term}</dt>\n<dd>${description}</dd>\n`)}</dl>`;
}
