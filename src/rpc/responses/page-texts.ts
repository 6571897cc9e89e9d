import type { FoundPageText } from "../../branding/list-page-texts.ts";

/** The response with the texts of pages in a language. */
export function toPageTexts(found: readonly FoundPageText[]) {
  return { result: found.map(({ placeholders, ...text }) => ({ ...text, placeholders: [...placeholders] })) };
}
