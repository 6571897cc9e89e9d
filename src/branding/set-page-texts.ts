import { type RawBuilder, sql } from "kysely";
import type { Param } from "../database/prepare.ts";
import { SignetError } from "../errors.ts";
import type { Changed } from "../events/object-details.ts";
import type { Owner } from "../owner.ts";
import type { Language } from "../texts/languages.ts";
import { type BrandingCall, type ChangeBrandingParts, changeBranding } from "./change-branding.ts";
import type { NewPageTexts } from "./check-page-texts.ts";
import { prepareBrandingChange } from "./prepare-branding-change.ts";

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
  parts: ChangeBrandingParts,
  { language, texts }: NewPageTexts,
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const event = { type: `${owner.kind}.page.texts.changed`, payload: { language, texts: { ...texts } } } as const;
  const entries = Object.entries(texts).map(([key, text]) => [key, text === "" ? null : text]);
  const values = { language, texts: JSON.stringify(Object.fromEntries(entries)) };
  return await changeBranding(parts, SET, { owner, event, values, refuse: tooLarge }, call);
}

/**
 * Removes the replaced texts of pages in a language, also from the active branding.
 *
 * @throws SignetError TEXT_NOT_FOUND, or for a failure of the database.
 */
export async function resetPageTexts(
  parts: ChangeBrandingParts,
  { language }: { readonly language: Language },
  owner: Owner,
  call: BrandingCall,
): Promise<Changed> {
  const event = { type: `${owner.kind}.page.texts.removed`, payload: { language } } as const;
  return await changeBranding(parts, RESET, { owner, event, values: { language }, refuse: notFound }, call);
}

function tooLarge(): SignetError {
  return new SignetError("PAGE_TEXTS_LIMIT", `the replaced texts of pages have more than ${MAX_BYTES} bytes`);
}

function notFound(): SignetError {
  return new SignetError("TEXT_NOT_FOUND", "no texts of pages in this language are replaced");
}

interface SetValues {
  language: string;
  /** JSON of the texts by key. Null stands for the original. */
  texts: string;
}

const SET = prepareBrandingChange<SetValues>({
  create: (given) => ({ page_texts: merge(sql`'{}'::jsonb`, given) }),
  set: (given, row) => ({ page_texts: merge(sql.ref(`${row}.page_texts`), given) }),
  isAllowed: (given, row) =>
    sql`octet_length(${merge(sql.ref(`${row}.page_texts`), given)}::text) <= ${sql.lit(MAX_BYTES)}`,
});

const RESET = prepareBrandingChange<{ language: string }>({
  set: (given, row) => ({
    page_texts: without(sql.ref(`${row}.page_texts`), given),
    active_page_texts: without(sql.ref(`${row}.active_page_texts`), given),
  }),
  isAllowed: (given, row) => {
    const inDraft = sql`${sql.ref(`${row}.page_texts`)} -> ${given("language", "text")}`;
    const inActive = sql`${sql.ref(`${row}.active_page_texts`)} -> ${given("language", "text")}`;
    return sql<boolean>`(${inDraft} is not null or ${inActive} is not null)`;
  },
});

/** The texts with some of a language replaced. A language without replaced texts is left out. */
function merge(texts: RawBuilder<unknown>, given: Param<SetValues>): RawBuilder<unknown> {
  const language = given("language", "text");
  const merged = sql`coalesce(${texts} -> ${language}, '{}'::jsonb) || ${given("texts", "jsonb")}`;
  return sql`jsonb_strip_nulls(${texts} || jsonb_build_object(${language}, nullif(jsonb_strip_nulls(${merged}), '{}'::jsonb)))`;
}

function without(texts: RawBuilder<unknown>, given: Param<{ language: string }>): RawBuilder<unknown> {
  return sql`${texts} - ${given("language", "text")}`;
}
