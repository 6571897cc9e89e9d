import type { SourceUser } from "../source.ts";

/**
 * The language of a user, if it looks like a language tag. Systems store any text as a locale.
 *
 * @param lost Gets `language` for other text.
 */
export function toLanguage(locale: string | undefined, lost: string[]): string | undefined {
  if (locale === undefined) return undefined;
  // POSIX writes `de_DE.UTF-8`.
  const tag = locale.trim().replace(/\..*$/, "");
  if (/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/.test(tag) && tag.length <= 10) return tag;
  lost.push("language");
  return undefined;
}

/** @param lost Gets `gender` for a value that is not one of Signet's. */
export function toGender(gender: string | undefined, lost: string[]): SourceUser["gender"] {
  const value = gender?.trim().toLowerCase();
  if (value === undefined) return undefined;
  if (value === "female" || value === "male" || value === "diverse") return value;
  lost.push("gender");
  return undefined;
}

/** A number in E.164 format, which Logto and Supabase store without the plus sign. */
export function withPlus(phone: string | undefined): string | undefined {
  return phone !== undefined && /^[1-9]\d+$/.test(phone) ? `+${phone}` : phone;
}
