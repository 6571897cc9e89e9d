import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { HashSettings } from "./new-hash.ts";

/**
 * The minimum length of a password that a user chooses, in Unicode code points (NIST SP 800-63B revision 3, section
 * 5.1.1.2).
 */
export const SHORTEST_PASSWORD = 8;

/**
 * The maximum length of a password to verify, in bytes of UTF-8. It bounds the work of schemes that hash the password
 * repeatedly.
 */
const LONGEST_VERIFIED_PASSWORD = 512;

/** The maximum length of a new password, in bytes of UTF-8. bcrypt ignores the rest. */
export const LONGEST_PASSWORD: Readonly<Record<HashSettings["scheme"], number>> = {
  bcrypt: 72,
  argon2id: LONGEST_VERIFIED_PASSWORD,
};

/**
 * Describes why a plaintext password cannot be hashed without loss, as a phrase that follows the field's name. Never
 * contains the password. bcrypt's limit applies unless another one is given.
 *
 * Passwords are not Unicode-normalized, because a hash of another system may be of either form. A sign-in tries both
 * (`createVerifier`). NUL ends a password in C implementations of bcrypt. Lone surrogates have no UTF-8 encoding, so all of them
 * would have the same hash.
 *
 * @returns undefined for an acceptable password.
 */
export function describePasswordProblem(password: string, longest = LONGEST_PASSWORD.bcrypt): string | undefined {
  if (password === "") return "must not be empty";
  if (password.includes("\0")) return "must not contain the character U+0000";
  if (!password.isWellFormed()) return "must be well-formed Unicode";
  const bytes = Buffer.byteLength(password, "utf8");
  if (bytes > longest) return `must be at most ${longest} bytes of UTF-8, is ${bytes}`;
  return undefined;
}

/** Whether a password can match a stored hash. Empty passwords are never accepted, even if their hash was imported. */
export function isVerifiablePassword(password: string): boolean {
  return describePasswordProblem(password, LONGEST_VERIFIED_PASSWORD) === undefined;
}

export type PasswordProblem = "too-short" | "too-long" | "not-text" | "common" | "personal";

interface PasswordContext {
  /** In bytes of UTF-8, at most `LONGEST_PASSWORD`. */
  readonly longest?: number;
  /** The user's names and addresses, and the name of the service. */
  readonly names?: readonly string[];
}

/**
 * Checks a password that a user chooses. It must be hashable, have the minimum length, not be one of the most common
 * passwords, and contain more than names and digits. There are no composition rules (NIST SP 800-63B revision 3,
 * section 5.1.1.2).
 *
 * @returns undefined for an acceptable password.
 */
export function findPasswordProblem(
  password: string,
  { longest = LONGEST_PASSWORD.bcrypt, names = [] }: PasswordContext = {},
): PasswordProblem | undefined {
  // Decoding a form replaces invalid UTF-8 with U+FFFD, which would make different passwords equal.
  if (!password.isWellFormed() || /[\0\ufffd]/.test(password)) return "not-text";
  if ([...password].length < SHORTEST_PASSWORD) return "too-short";
  // The length in bytes is the only remaining rule.
  if (describePasswordProblem(password, longest) !== undefined) return "too-long";
  if (isCommonPassword(password)) return "common";
  return isMadeOfNames(password, names) ? "personal" : undefined;
}

/** Whether at most two letters of a password remain without names, digits and punctuation. */
function isMadeOfNames(password: string, names: readonly string[]): boolean {
  const words = names
    .flatMap((name) => [name, ...name.split(/[\s@.,_+-]+/)])
    .map(toLetters)
    .filter((word) => word.length >= SHORTEST_WORD)
    // Longest first, because an address contains shorter words of the list.
    .sort((left, right) => right.length - left.length);
  const letters = toLetters(password);
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), letters);
  return rest.length < letters.length && rest.length < SHORTEST_WORD;
}

/** In letters. */
const SHORTEST_WORD = 3;

function toLetters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}]/gu, "");
}

/**
 * Whether a password is one of the 18,000 most common ones with at least eight characters, ignoring case. The list is
 * read on the first call, in 9 ms.
 */
function isCommonPassword(password: string): boolean {
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
