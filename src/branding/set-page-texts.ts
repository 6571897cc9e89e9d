import { SignetError } from "../errors.ts";
import type { Language } from "../texts/languages.ts";
import { inBrandingChange } from "./change-branding.ts";
import type { NewPageTexts } from "./check-page-texts.ts";

/**
 * Bytes of the replaced texts of an owner, as JSON. All built-in texts in all languages have about 150,000. Each
 * process reads them every few seconds.
 */
const MAX_BYTES = 128 * 1_024;

/**
 * Replaces some texts of pages in a language (docs/branding.md). Pages use them once the branding is activated.
 *
 * @throws SignetError PAGE_TEXTS_LIMIT, or for a failure of the database.
 */
export const setPageTexts = inBrandingChange(({ language, texts }: NewPageTexts, { kind }) => ({
  event: { type: `${kind}.page.texts.changed`, payload: { language, texts: { ...texts } } },
  decide: ({ page_texts: { [language]: stored, ...others } }) => {
    // An empty text stands for the original. A language without replaced texts is left out.
    const replaced = Object.entries({ ...stored, ...texts }).filter(([, text]) => text !== "");
    const page_texts = replaced.length > 0 ? { ...others, [language]: Object.fromEntries(replaced) } : others;
    if (Buffer.byteLength(JSON.stringify(page_texts)) > MAX_BYTES) throw tooLarge();
    return { page_texts };
  },
}));

/**
 * Removes the replaced texts of pages in a language, also from the active branding.
 *
 * @throws SignetError TEXT_NOT_FOUND, or for a failure of the database.
 */
export const resetPageTexts = inBrandingChange(({ language }: { readonly language: Language }, { kind }) => ({
  event: { type: `${kind}.page.texts.removed`, payload: { language } },
  decide: ({ page_texts: edited, active_page_texts: active }) => {
    if (edited[language] === undefined && active[language] === undefined) throw notFound();
    return {
      page_texts: { ...edited, [language]: undefined },
      active_page_texts: { ...active, [language]: undefined },
    };
  },
}));

function tooLarge(): SignetError {
  return new SignetError("PAGE_TEXTS_LIMIT", `the replaced texts of pages have more than ${MAX_BYTES} bytes`);
}

function notFound(): SignetError {
  return new SignetError("TEXT_NOT_FOUND", "no texts of pages in this language are replaced");
}
