import { type RawBuilder, type SqlBool, sql } from "kysely";

/** How a text is searched for; `TextQueryMethod` of the proto. */
export type TextMatch = {
  readonly part: "whole" | "start" | "end" | "any";
  readonly ignoresCase: boolean;
};

/**
 * A text without case, as the locale of the database defines it: a database with the locale C knows ASCII only. The final
 * sigma counts as a sigma, because which of the two letters Σ becomes can depend on what follows it. Indexes contain this
 * expression, so it must not change.
 */
export function foldCase(text: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`replace(lower(${text}), 'ς', 'σ')`;
}

/**
 * The condition that a text matches another one, of which no character has a special meaning.
 *
 * The first part of the condition is implied by the second one, and can use an index: on the folded column in the collation
 * "C" for `whole` and `start`, on trigrams of `searched` for the others.
 *
 * @param column Never null: a null would be neither matched nor, within a `not`, excluded.
 * @param searched A folded expression that contains the folded column, and has an index of trigrams.
 */
export function matchesText(
  column: RawBuilder<unknown>,
  { part, ignoresCase }: TextMatch,
  text: string,
  searched?: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const folded = foldCase(column);
  const key = foldCase(sql`${text}::text`);
  const [value, wanted] = ignoresCase ? [folded, key] : [column, sql`${text}::text`];
  switch (part) {
    case "whole":
      return sql`${folded} collate "C" = ${key}${ignoresCase ? sql`` : sql` and ${value} = ${wanted}`}`;
    case "start":
      // No text contains U+10FFFF, the last code point, which is no character.
      return sql`${folded} collate "C" >= ${key} and ${folded} collate "C" < ${key} || ${LAST}::text
        and starts_with(${value}, ${wanted})`;
    case "end":
    case "any": {
      const pattern = `%${escapePattern(text)}`;
      const like = (whole: string) => (ignoresCase ? foldCase(sql`${whole}::text`) : sql`${whole}::text`);
      const condition = sql<SqlBool>`${value} like ${like(part === "end" ? pattern : `${pattern}%`)}`;
      return searched === undefined
        ? condition
        : sql`${searched} like ${foldCase(sql`${`${pattern}%`}::text`)} and ${condition}`;
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
