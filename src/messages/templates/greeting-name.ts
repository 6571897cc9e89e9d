/**
 * The display name as it may stand in a message; undefined where it is better left out.
 *
 * Who imports users often passes on what strangers typed, so that a display name is a way to send a text of one's own
 * under a trusted sender. Mail programs make links of what looks like an address, a host or a phone number, in text and
 * in HTML alike, and no escaping keeps them from it; line breaks and bidirectional controls move the text around it.
 * So a name is what only names have: letters, and the few signs between them.
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

/** Code points. Longer ones are texts more often than names, and their line would be too long. */
const MAX_LENGTH = 60;

/** Enough for a year; phones make links of longer numbers. */
const MAX_DIGITS = 4;

const NAME = new RegExp(
  `^(?:${[
    // No language needs more marks on one letter than three.
    "[\\p{L}\\p{Nd}]\\p{M}{0,3}",
    // ZWNJ and ZWJ, which names in Persian and in Indian scripts are written with.
    "(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=\\p{L})",
    "[ ,'’‘\"“”()&·・׳״\\-‐‑–]",
    // A dot ends an initial or an abbreviation. With two letters or a digit after it, it would be that of a host.
    "\\.(?=\\p{L}\\p{M}*(?:[. ,)’'\"”]|$)|[ ,)’'\"”]|[-‐‑]\\p{L}|$)",
  ].join("|")})+$`,
  "u",
);

/** Letters and marks that show nothing, such as the Hangul fillers. The two joiners have their place, as NAME has it. */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u;
