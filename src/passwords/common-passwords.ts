import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Whether a password is one of the 18,000 most common ones of at least eight characters, regardless of case. The list is
 * read at the first call, in 15 ms, and takes 2 MB.
 */
export function isCommonPassword(password: string): boolean {
  list ??= readList();
  return list.has(password.toLowerCase());
}

let list: ReadonlySet<string> | undefined;

/** The list only: the package's entry point would load its dictionaries and keyboards too. */
function readList(): ReadonlySet<string> {
  const file = createRequire(import.meta.url).resolve("@zxcvbn-ts/language-common/src/passwords.json");
  const passwords: readonly string[] = JSON.parse(readFileSync(file, "utf8"));
  return new Set(passwords.filter((password) => password.length >= SHORTEST).map((password) => password.toLowerCase()));
}

/** Shorter passwords are refused anyway. In UTF-16 units, so that none is missed. */
const SHORTEST = 8;
