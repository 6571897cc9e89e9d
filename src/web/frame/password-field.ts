import { type Html, html } from "../../html.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { createScript } from "./asset.ts";
import { type Field, field } from "./field.ts";

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
