/** The search of the guide. */
import { ABSENT, SYNONYMS } from "./synonyms.js";

/**
 * Creates a function that finds the sections for a text. The section of the longest synonym in the text comes first. The
 * function returns undefined for a feature that Signet does not have.
 *
 * @param sections The entries of `search.json`.
 */
export function createSearch(MiniSearch, sections) {
  const index = new MiniSearch({
    fields: ["title", "page", "text"],
    storeFields: ["path", "page", "title", "text"],
    searchOptions: {
      boost: { title: 4, page: 2 },
      // The changelog mentions everything that the other pages explain.
      boostDocument: (_id, _term, { page }) => (page === "Changelog" ? 0.2 : 1),
      prefix: true,
      fuzzy: 0.15,
      combineWith: "AND",
    },
  });
  index.addAll(sections);
  const answers = Object.entries(SYNONYMS)
    .flatMap(([path, phrases]) => phrases.map((phrase) => ({ path: `/docs/guide/${path}`, phrase })))
    .sort((a, b) => b.phrase.length - a.phrase.length);

  return (text) => {
    const words = ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim()} `;
    const contains = (phrase) => words.includes(` ${phrase} `);
    if (ABSENT.some(contains)) return undefined;
    const best = answers.find(({ phrase }) => contains(phrase));
    const first = sections.filter(({ path }) => path === best?.path).slice(0, 1);
    const others = index.search(text).filter(({ path }) => path !== best?.path);
    return [...first.map((section) => ({ ...section, queryTerms: [], match: {} })), ...others];
  };
}
