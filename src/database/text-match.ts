import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";

/** A text search. */
export interface TextMatch {
  readonly part: "whole" | "start" | "end" | "any";
  readonly ignoresCase: boolean;
}

/** Searchable text. None of its expressions is ever null, because `not` would also exclude nulls. */
export interface SearchedText {
  /** The text itself. */
  readonly value: RawBuilder<string>;
  /** The text with its case folded. */
  readonly folded: RawBuilder<string>;
  /** Folds a search text in the same way. The characters `%`, `_` and `\` must be kept. */
  readonly fold: (text: string) => RawBuilder<string>;
  /** Whether an index of `folded` in the collation "C" finds whole texts and prefixes. */
  readonly isSorted: boolean;
  /** A folded text that contains this one, and has a trigram index if the database supports it. */
  readonly trigrams?: RawBuilder<string> | undefined;
}

/** Text whose case the database folds: see `foldCase`. */
export function searchedText(
  value: RawBuilder<string>,
  indexes: Pick<SearchedText, "isSorted" | "trigrams"> = { isSorted: false },
): SearchedText {
  return { value, folded: foldCase(value), fold: (text) => foldCase(sql`${text}::text`), ...indexes };
}

/**
 * Folds the case of text as the database locale defines it: with the locale C, only ASCII letters. The final sigma
 * counts as a sigma, because which of the two letters Σ becomes can depend on what follows it. Indexes contain this
 * expression, so it must not change.
 */
export function foldCase(text: Expression<unknown>): RawBuilder<string> {
  return sql<string>`replace(lower(${text}), 'ς', 'σ')`;
}

/**
 * The condition that text matches a search text without wildcards. The redundant conditions on `folded` and `trigrams`
 * make their indexes usable.
 */
export function matchesText(
  searched: SearchedText,
  { part, ignoresCase }: TextMatch,
  text: string,
): RawBuilder<SqlBool> {
  const { value, folded, fold, isSorted, trigrams } = searched;
  const [column, wanted] = ignoresCase ? [folded, fold(text)] : [value, sql<string>`${text}::text`];
  const conditions: RawBuilder<SqlBool>[] = [];
  const usesOrder = isSorted && (part === "whole" || part === "start");
  if (usesOrder) conditions.push(part === "whole" ? isFolded(searched, text) : startsFolded(searched, text));
  switch (part) {
    case "whole":
      if (!usesOrder || !ignoresCase) conditions.push(sql`${column} = ${wanted}`);
      break;
    case "start":
      conditions.push(sql`starts_with(${column}, ${wanted})`);
      break;
    case "end":
    case "any": {
      const pattern = `%${escapePattern(text)}${part === "any" ? "%" : ""}`;
      conditions.push(sql`${column} like ${ignoresCase ? fold(pattern) : sql`${pattern}::text`}`);
      break;
    }
    default:
      part satisfies never;
  }
  if (trigrams !== undefined && !usesOrder) conditions.push(sql`${trigrams} like ${fold(`%${escapePattern(text)}%`)}`);
  return sql.join(conditions, sql` and `);
}

/** The condition that text equals another one, ignoring case. */
function isFolded({ folded, fold }: SearchedText, text: string): RawBuilder<SqlBool> {
  return sql`${folded} collate "C" = ${fold(text)}`;
}

/** No text contains U+10FFFF, the last code point, which is not a character. */
function startsFolded({ folded, fold }: SearchedText, text: string): RawBuilder<SqlBool> {
  return sql`${folded} collate "C" >= ${fold(text)} and ${folded} collate "C" < ${fold(text)} || ${LAST}::text`;
}

const LAST = "\u{10ffff}";

/** A LIKE pattern that matches exactly this text. The escape character is PostgreSQL's default. */
function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
