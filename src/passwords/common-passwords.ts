import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Whether a password is one of the 18,000 most common ones of at least eight characters, regardless of case. The list
 * is read at the first call, in 9 ms.
 */
export function isCommonPassword(password: string): boolean {
  list ??= readList();
  return !password.includes("\n") && list.includes(`\n${password.toLowerCase()}\n`);
}

/** One line for each password: a single text takes 0.2 MB, a set of them 5 MB. */
let list: string | undefined;

/** Of the package, only the list: its entry point would load dictionaries and keyboards too. */
function readList(): string {
  const file = createRequire(import.meta.url).resolve("@zxcvbn-ts/language-common/src/passwords.json");
  const passwords: readonly string[] = JSON.parse(readFileSync(file, "utf8"));
  return `\n${passwords
    .filter((password) => password.length >= SHORTEST)
    .join("\n")
    .toLowerCase()}\n`;
}

/** In UTF-16 units. Shorter passwords are refused anyway. */
const SHORTEST = 8;
