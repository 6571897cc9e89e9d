import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";
import type { ChangeParts } from "../events/change-object.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import type { Language } from "../texts/languages.ts";
import { changeBranding, type StoredBranding } from "./change-branding.ts";
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
export async function setPageTexts(
  parts: ChangeParts,
  { language, texts }: NewPageTexts,
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.page.texts.changed`, payload: { language, texts: { ...texts } } } as const;
  const decide = ({ page_texts: { [language]: stored, ...others } }: StoredBranding) => {
    // An empty text stands for the original. A language without replaced texts is left out.
    const replaced = Object.entries({ ...stored, ...texts }).filter(([, text]) => text !== "");
    const page_texts = replaced.length > 0 ? { ...others, [language]: Object.fromEntries(replaced) } : others;
    if (Buffer.byteLength(JSON.stringify(page_texts)) > MAX_BYTES) throw tooLarge();
    return { page_texts };
  };
  return await changeBranding(parts, { owner, event, decide }, call);
}

/**
 * Removes the replaced texts of pages in a language, also from the active branding.
 *
 * @throws SignetError TEXT_NOT_FOUND, or for a failure of the database.
 */
export async function resetPageTexts(
  parts: ChangeParts,
  { language }: { readonly language: Language },
  owner: Owner,
  call: Call,
): Promise<Changed> {
  const event = { type: `${owner.kind}.page.texts.removed`, payload: { language } } as const;
  const decide = ({ page_texts: edited, active_page_texts: active }: StoredBranding) => {
    if (edited[language] === undefined && active[language] === undefined) throw notFound();
    return {
      page_texts: { ...edited, [language]: undefined },
      active_page_texts: { ...active, [language]: undefined },
    };
  };
  return await changeBranding(parts, { owner, event, decide }, call);
}

function tooLarge(): SignetError {
  return new SignetError("PAGE_TEXTS_LIMIT", `the replaced texts of pages have more than ${MAX_BYTES} bytes`);
}

function notFound(): SignetError {
  return new SignetError("TEXT_NOT_FOUND", "no texts of pages in this language are replaced");
}
