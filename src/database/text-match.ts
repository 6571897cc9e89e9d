import { type RawBuilder, type SqlBool, sql } from "kysely";

/** How a text is searched for. */
export interface TextMatch {
  readonly part: "whole" | "start" | "end" | "any";
  readonly ignoresCase: boolean;
}

/** A text that can be searched for. None of its expressions is ever null: `not` would exclude a null too. */
export interface SearchedText {
  /** The text itself. */
  readonly value: RawBuilder<string>;
  /** The text without case, indexed in the collation "C". */
  readonly folded: RawBuilder<string>;
  /** Folds a text to search for in the same way. The characters `%`, `_` and `\` must stay. */
  readonly fold: (text: string) => RawBuilder<string>;
  /** A folded text that contains this one, and has an index of trigrams. */
  readonly trigrams?: RawBuilder<string> | undefined;
}

/** A text whose case the database folds: see `foldCase`. */
export function searchedText(value: RawBuilder<string>, trigrams?: RawBuilder<string>): SearchedText {
  return { value, folded: foldCase(value), fold: (text) => foldCase(sql`${text}::text`), trigrams };
}

/**
 * A text without case, as the locale of the database defines it: a database with the locale C folds ASCII only. The final
 * sigma counts as a sigma, because which of the two letters Σ becomes can depend on what follows it. Indexes contain this
 * expression, so it must not change.
 */
export function foldCase(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`replace(lower(${text}), 'ς', 'σ')`;
}

/**
 * The condition that a text matches another one, of which no character has a special meaning.
 *
 * Its first part follows from the last one, and is there for an index: on the folded text for `whole` and `start`, on
 * trigrams for `any` and `end`.
 */
export function matchesText(
  { value, folded, fold, trigrams }: SearchedText,
  { part, ignoresCase }: TextMatch,
  text: string,
): RawBuilder<SqlBool> {
  const key = fold(text);
  const exact = sql<string>`${text}::text`;
  switch (part) {
    case "whole": {
      const same = sql<SqlBool>`${folded} collate "C" = ${key}`;
      return ignoresCase ? same : sql`${same} and ${value} = ${exact}`;
    }
    case "start": {
      // No text contains U+10FFFF, the last code point, which is no character.
      const range = sql<SqlBool>`${folded} collate "C" >= ${key} and ${folded} collate "C" < ${key} || ${LAST}::text`;
      return ignoresCase
        ? sql`${range} and starts_with(${folded}, ${key})`
        : sql`${range} and starts_with(${value}, ${exact})`;
    }
    case "end":
    case "any": {
      const end = part === "end" ? "" : "%";
      const pattern = `%${escapePattern(text)}`;
      const like = ignoresCase
        ? sql<SqlBool>`${folded} like ${fold(pattern + end)}`
        : sql<SqlBool>`${value} like ${`${pattern}${end}`}::text`;
      return trigrams === undefined ? like : sql`${trigrams} like ${fold(`${pattern}%`)} and ${like}`;
    }
    default:
      return part satisfies never;
  }
}

const LAST = "\u{10ffff}";

/** A pattern of LIKE that matches exactly the text. The escape character is PostgreSQL's default. */
function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
