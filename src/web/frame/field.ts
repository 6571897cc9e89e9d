import { type Html, html } from "../../html.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { createScript } from "./asset.ts";

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  /** The problem of the submitted value. It replaces the hint. */
  readonly error?: string | undefined;
  /** About the problem of another field. It has the place of an error, and is not shown with a hint. */
  readonly remark?: string | undefined;
  /** Further attributes of the input. */
  readonly attributes: Html;
  /** A button inside the input. */
  readonly button?: Html;
  /** A link at the end of the label's line. The keyboard reaches it after the input. */
  readonly aside?: Html;
}

/**
 * An input with its label, and a hint or an error below, which is linked for screen readers. The submitted value is
 * never rendered again. An input with an error gets the focus. The place of an error is reserved, so that it does not
 * move the page.
 */
export function field({ name, label, hint, error, remark, attributes, button, aside }: Field): Html {
  const note = error !== undefined ? "error" : hint !== undefined ? "hint" : "remark";
  const text = error ?? hint ?? remark;
  const noteId = text === undefined ? undefined : `${name}-${note}`;
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="control"><input id="${name}" name="${name}" ${attributes}${noteId !== undefined && html` aria-describedby="${noteId}"`}${error !== undefined && html` aria-invalid="true" autofocus`}>${button}</div>
${error === undefined && text !== undefined && html`<p class="${note}" id="${noteId}">${text}</p>`}
${error !== undefined && html`<p class="error${hint !== undefined && " hint"}" id="${name}-error" role="alert">${error}</p>`}
${aside !== undefined && html`<div class="aside">${aside}</div>`}
</div>`;
}

/** The script of the pages with a `passwordField`. */
export const PASSWORD_FIELD_SCRIPT = createScript(
  "/ui/password-field.js",
  new URL("./password-field-client.js", import.meta.url),
);

/** A field for a password, with a button that shows and hides it. Without the page's script, the button is absent. */
export function passwordField(language: PageLanguage, { attributes, ...rest }: Field): Html {
  const { show, hide } = language.texts.frame.password;
  const button = html`<button type="button" class="show" aria-controls="${rest.name}" data-other="${hide.text}" data-other-label="${hide.label}" aria-label="${show.label}" hidden>${show.text}</button>`;
  return field({ ...rest, attributes: html`type="password" ${attributes}`, button });
}
