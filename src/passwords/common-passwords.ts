import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * Whether a password is one of the 18,000 most common ones with at least eight characters, ignoring case. The list is
 * read on the first call, in 9 ms.
 */
export function isCommonPassword(password: string): boolean {
  list ??= readList();
  return !password.includes("\n") && list.includes(`\n${password.toLowerCase()}\n`);
}

/** One line per password: a single string takes 0.2 MB, a set of strings 5 MB. */
let list: string | undefined;

/** Only the list: the package's entry point would also load dictionaries and keyboards. */
function readList(): string {
  const file = createRequire(import.meta.url).resolve("@zxcvbn-ts/language-common/src/passwords.json");
  const passwords: readonly string[] = JSON.parse(readFileSync(file, "utf8"));
  return `\n${passwords
    .filter((password) => password.length >= SHORTEST)
    .join("\n")
    .toLowerCase()}\n`;
}

/** In UTF-16 units. Shorter passwords are rejected anyway. */
const SHORTEST = 8;
