const MAX_LENGTH = 60;
const MAX_DIGITS = 4;

/** Letters, digits, and the punctuation of names. Marks stand for what people see: a stack of them is no name. */
const NAME = /^(?:[\p{L}\p{Nd}]\p{M}{0,3}|(?<=[\p{L}\p{M}])[\u200c\u200d](?=\p{L})|[ .,'’‘ʼ"“”()&·・׳״\-‐‑–])+$/u;

/** Letters that show nothing, such as the Hangul fillers. ZWNJ and ZWJ have their place in names, as NAME has it. */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u;

/** A dot with what could be the end of a host name or a part of an IP address after it. */
const HOST = /\.(?:\p{L}\p{M}*[\p{L}\p{Nd}\-‐‑–]|\p{Nd})/u;

/**
 * The display name as it may stand in a message; undefined where it is better left out.
 *
 * Whoever imports users often passes on what strangers typed, so that a display name is a way to send a stranger's text
 * under a trusted sender. Mail programs make links of what looks like an address, a host or a phone number, in text and
 * in HTML, and no escaping keeps them from it; line breaks and bidirectional controls move the text around it.
 */
export function toGreetingName(displayName: string): string | undefined {
  const name = displayName.replace(/\p{Zs}+/gu, " ").trim();
  const isName =
    [...name].length <= MAX_LENGTH &&
    /\p{L}/u.test(name) &&
    NAME.test(name) &&
    !INVISIBLE.test(name) &&
    !HOST.test(name) &&
    (name.match(/\p{Nd}/gu) ?? []).length <= MAX_DIGITS;
  return isName ? name : undefined;
}
