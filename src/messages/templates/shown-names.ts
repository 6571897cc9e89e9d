/**
 * Returns the display name if it is safe to show in a message, otherwise undefined.
 *
 * Imported display names often come from untrusted users, so they could be used to send arbitrary text from a trusted
 * sender. Mail clients turn anything that looks like an address, a host or a phone number into a link, in text and in
 * HTML, and escaping does not prevent it. Line breaks and bidirectional controls rearrange the surrounding text.
 * Therefore, only letters and the few other characters that names contain are accepted.
 */
export function toGreetingName(displayName: string): string | undefined {
  const name = displayName.replace(/\p{Zs}+/gu, " ").trim();
  const isName =
    [...name].length <= MAX_LENGTH &&
    /\p{L}/u.test(name) &&
    NAME.test(name) &&
    !INVISIBLE.test(name) &&
    (name.match(/\p{Nd}/gu)?.length ?? 0) <= MAX_DIGITS;
  return isName ? name : undefined;
}

/** In code points. Longer values are rarely names, and would make the greeting line too long. */
const MAX_LENGTH = 60;

/** Enough for a year. Phone mail clients turn longer numbers into links. */
const MAX_DIGITS = 4;

const NAME = new RegExp(
  `^(?:${[
    // No language needs more than three marks on one letter.
    "[\\p{L}\\p{Nd}]\\p{M}{0,3}",
    // ZWNJ and ZWJ, which names in Persian and in Indic scripts contain.
    "(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=\\p{L})",
    "[ ,'’‘\"“”()&·・׳״\\-‐‑–]",
    // A dot ends an initial or an abbreviation. Followed by two letters or a digit, it would be part of a host name.
    "\\.(?=\\p{L}\\p{M}*(?:[. ,)’'\"”]|$)|[ ,)’'\"”]|[-‐‑]\\p{L}|$)",
  ].join("|")})+$`,
  "u",
);

/** Invisible letters and marks, such as the Hangul fillers. NAME allows the two joiners where they are needed. */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u;

/**
 * Returns the email address if it is safe to show in a message, otherwise undefined. An address can start like the URL
 * of a web page, such as `evil.example/a@example.com`, which mail clients turn into a link.
 */
export function toShownAddress(address: string): string | undefined {
  return SHOWN.test(address) ? address : undefined;
}

const SHOWN = /^(?!www\.)[\p{L}\p{M}\p{N}._+'-]+@[\p{L}\p{M}\p{N}.-]+$/iu;

/**
 * Returns the user name if it is safe to show in a message, otherwise undefined: the address that the message is sent
 * to, a name that `toGreetingName` accepts, or letters, a few digits, `-` and `_`. Mail clients could turn any other
 * name into a link.
 */
export function toShownUserName(userName: string, recipient: string): string | undefined {
  if (userName.toLowerCase() === recipient.toLowerCase()) return toShownAddress(userName);
  return SIMPLE.test(userName) ? userName : toGreetingName(userName);
}

/** Phone mail clients turn seven digits into a link. */
const SIMPLE = /^(?=.{1,60}$)(?!(?:.*\p{Nd}){7})[\p{L}\p{M}\p{Nd}_-]+$/u;
