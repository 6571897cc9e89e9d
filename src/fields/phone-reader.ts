import { trimText } from "./trim-text.ts";

/** The functions of libphonenumber-js that are used. */
export type Phones = Pick<typeof import("libphonenumber-js/max"), "isSupportedCountry" | "parsePhoneNumberFromString">;

type ParsedPhone = { readonly ok: true; readonly e164: string } | { readonly ok: false; readonly description: string };

export interface PhoneReader {
  /**
   * Parses a phone number in the global format of RFC 3966 (section 3, `global-number-digits`) to E.164.
   *
   * Beyond the RFC, `tel:` is optional, any spaces and dashes may separate digits, and `trimText` is applied. Parameters,
   * including an extension and an ISDN subaddress, are removed, because messages go to the number. Local numbers, with
   * `phone-context` or without, and any other text are rejected. A trunk prefix in parentheses, as in `+44 (0)20 …`, is
   * removed.
   *
   * The number must be possible: its calling code exists and has numbers of this length. It need not be in a range that
   * is in use (libphonenumber's `isValid`), because new ranges open every month, and real numbers would be rejected until
   * the next update.
   */
  parsePhone(value: string): ParsedPhone;
  /**
   * Reads a number that someone has entered: in the global format, or as it is dialed in a region. Returns its E.164, or
   * null if it is neither.
   *
   * @param region ISO 3166-1 code. Without one, or if libphonenumber does not know it, only the global format is read.
   */
  readPhone(entered: string, region: string | undefined): string | null;
}

/** @param load Returns the package, which is loaded when it is first needed. */
export function createPhoneReader(load: () => Phones): PhoneReader {
  return { parsePhone, readPhone };

  function parsePhone(value: string): ParsedPhone {
    const text = trimText(value);
    const [, subscriber] = NUMBER.exec(text) ?? [];
    if (subscriber === undefined) return { ok: false, description: `${GLOBAL_FORMAT}${describeFormat(text)}` };
    const digits = subscriber.replace(/\D/g, "").replace(MEXICAN_MOBILE, "52");
    const number = load().parsePhoneNumberFromString(`+${digits}`, { extract: false });
    if (!number?.isPossible()) {
      return {
        ok: false,
        description: `${POSSIBLE}; this one starts with +${digits.slice(0, 3)} and has ${digits.length} digits`,
      };
    }
    return { ok: true, e164: number.number };
  }

  function readPhone(entered: string, region: string | undefined): string | null {
    const text = trimText(entered);
    if (text.length > LONGEST_ENTERED) return null;
    const parsed = parsePhone(text);
    if (parsed.ok) return parsed.e164;
    if (region === undefined || !DIALED.test(text)) return null;
    const { isSupportedCountry, parsePhoneNumberFromString } = load();
    if (!isSupportedCountry(region)) return null;
    const dialed = text.replace(/\p{Zs}/gu, " ").replace(/[\p{Pd}\u2212]/gu, "-");
    const number = parsePhoneNumberFromString(dialed, { defaultCountry: region, extract: false });
    return number?.isPossible() ? number.number : null;
  }
}

/** Characters. With separators, a number has at most 30. */
const LONGEST_ENTERED = 40;

const GLOBAL_FORMAT = "must be a phone number in global format, such as +41791234567 or tel:+41-79-123-45-67";
const POSSIBLE = "must be a possible phone number, with an existing country calling code and a valid length";

/** Describes why a text is not a number in global format, as the end of the sentence; empty for an empty text. */
function describeFormat(text: string): string {
  if (/;phone-context(?:[=;]|$)/i.test(text)) return "; phone-context belongs to a local number";
  const [number = ""] = text.replace(/^tel:/i, "").split(";", 1);
  const [first] = number;
  if (first === undefined) return "";
  if (first !== "+") return `; this one starts with ${toShown(first)}, not with +`;
  const foreign = FOREIGN.exec(number.slice(1))?.[0];
  if (foreign !== undefined) return `; this one contains ${toShown(foreign)}`;
  return text.includes(";") ? "; this one has a malformed parameter" : "; this one has no digits";
}

function toShown(character: string): string {
  if (/[!-~]/.test(character)) return character;
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** What may separate digits, in a character class: beyond RFC 3966, all spaces, dashes and the minus sign. */
export const SEPARATORS = String.raw`.()\p{Zs}\p{Pd}\u2212`;

/** Digits of a number without a calling code, and what separates them. */
const DIALED = new RegExp(`^[\\d(][${SEPARATORS}/\\d]{3,}$`, "u");

/** RFC 3966, section 3. A parameter that needs a local number is none of a global one. */
const PARAMETER = String.raw`;(?:ext=[-.()\d]+|isub=[^;\s]+|(?!(?:ext|isub|phone-context)(?:[=;]|$))[a-z\d-]+(?:=[\[\]/:&+$\w.!~*'()%-]+)?)`;
const NUMBER = new RegExp(`^(?:tel:)?(\\+[${SEPARATORS}]*\\d[${SEPARATORS}\\d]*)(?:${PARAMETER})*$`, "iu");

const FOREIGN = new RegExp(`[^${SEPARATORS}\\d]`, "u");

/** The 1 in Mexican mobile numbers, which was abolished in 2019, and which libphonenumber has rejected since 8.13.38. */
const MEXICAN_MOBILE = /^521(?=\d{10}$)/;
