/**
 * Finds the first character that is invisible or reorders the text around it, in the form `U+202E`; undefined if there
 * is none. Following the FreeformClass of RFC 8264, sections 4.3 and 9, these are control and format characters, line
 * and paragraph separators, default-ignorable, private-use, unassigned and surrogate code points, and the blank Braille
 * pattern.
 *
 * The joiners U+200C and U+200D are allowed where they change the shape of letters (RFC 5892, appendix A.1 and A.2):
 * after a virama, and U+200C between two letters of the Arabic script that would otherwise join. The joining rule
 * covers no other script, because names in other scripts do not need it.
 *
 * @param sequences Whether to allow emoji sequences (RGI_Emoji of Unicode TS 51, such as a family or a flag) and the
 *   variation selectors of ideographs, in which the characters of official Japanese and Chinese names differ.
 */
export function findInvisible(text: string, { sequences }: { sequences: boolean }): string | undefined {
  if (!INVISIBLE.test(text)) return undefined;
  const found = INVISIBLE.exec(text.replace(sequences ? sequenceRegExp() : JOINER, ""))?.[0].codePointAt(0);
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Removes the characters that `findInvisible` finds with `sequences`. */
export function removeInvisible(text: string): string {
  if (!INVISIBLE.test(text)) return text;
  const kept = new RegExp(`(${sequenceRegExp().source})|${INVISIBLE.source}`, "gv");
  // What has been removed may have been what a joiner needed, or what kept it from its letters.
  for (let cleaned = text; ; ) {
    const next = cleaned.replace(kept, (_found, sequence: string | undefined) => sequence ?? "");
    if (next === cleaned) return cleaned;
    cleaned = next;
  }
}

/** Whether a text without invisible characters has more than spaces and combining marks. */
export function hasVisible(text: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Canonical_Combining_Class 9, Unicode 14. JavaScript has no property escape for it. */
const VIRAMA =
  "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u1714\u1715\u1734" +
  "\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}" +
  "\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}" +
  "\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}";

/** Letters of the Arabic script that join the next letter (Joining_Type D), Unicode 14. */
const DUAL_JOINING =
  "\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f\u0678-\u0687\u069a-\u06bf\u06c1\u06c2" +
  "\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff\u0750-\u0758\u075c-\u076a\u076d-\u0770\u0772\u0775-\u0777\u077a-\u077f" +
  "\u0886\u0889-\u088d\u08a0-\u08a9\u08af\u08b0\u08b3-\u08b8\u08ba-\u08c8";

/** Letters of the Arabic script that join only the previous letter (Joining_Type R), Unicode 14. */
const RIGHT_JOINING =
  "\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673\u0675-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2" +
  "\u06d3\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779\u0870-\u0882\u088e\u08aa-\u08ac\u08ae" +
  "\u08b1\u08b2\u08b9";

const ALLOWED_JOINER =
  `(?<=[${VIRAMA}])[\\u200c\\u200d]|` +
  `(?<=[${DUAL_JOINING}]\\p{M}*)\\u200c(?=\\p{M}*[${DUAL_JOINING}${RIGHT_JOINING}])`;

const JOINER = new RegExp(ALLOWED_JOINER, "gv");

let sequence: RegExp | undefined;

/** Parsing the emoji takes 12 ms, so startup does not wait for it. */
function sequenceRegExp(): RegExp {
  sequence ??= new RegExp(
    `${ALLOWED_JOINER}|\\p{RGI_Emoji}|(?<=\\p{Unified_Ideograph})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]`,
    "gv",
  );
  return sequence;
}
