/** The functions of libphonenumber-js that are used. */
export type Phones = Pick<typeof import("libphonenumber-js/max"), "isSupportedCountry" | "parsePhoneNumberFromString">;

export type ParsedPhone =
  | { readonly ok: true; readonly e164: string }
  | { readonly ok: false; readonly description: string };

export interface PhoneReader {
  /**
   * Parses a phone number in the global format of RFC 3966 (section 3, `global-number-digits`) to E.164.
   *
   * Beyond the RFC, `tel:` is optional, spaces may separate digits, and white space around the number is removed. An
   * extension and an ISDN subaddress are removed, because messages go to the number. Local numbers, other parameters and
   * any other text are rejected. A trunk prefix in parentheses, as in `+44 (0)20 …`, is removed.
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
    const [, subscriber] = NUMBER.exec(value.trim()) ?? [];
    if (subscriber === undefined) {
      return {
        ok: false,
        description: "must be a phone number in global format, such as +41791234567 or tel:+41-79-123-45-67",
      };
    }
    const digits = subscriber.replace(/\D/g, "").replace(MEXICAN_MOBILE, "52");
    const number = load().parsePhoneNumberFromString(`+${digits}`, { extract: false });
    if (!number?.isPossible()) {
      return {
        ok: false,
        description: "must be a possible phone number, with an existing country calling code and a valid length",
      };
    }
    return { ok: true, e164: number.number };
  }

  function readPhone(entered: string, region: string | undefined): string | null {
    const text = entered.trim();
    if (text.length > LONGEST_ENTERED) return null;
    const parsed = parsePhone(text);
    if (parsed.ok) return parsed.e164;
    if (region === undefined || !DIALED.test(text)) return null;
    const { isSupportedCountry, parsePhoneNumberFromString } = load();
    if (!isSupportedCountry(region)) return null;
    const number = parsePhoneNumberFromString(text, { defaultCountry: region, extract: false });
    return number?.isPossible() ? number.number : null;
  }
}

/** Characters. With separators, a number has at most 30. */
const LONGEST_ENTERED = 40;

/** Digits of a number without a calling code, and what separates them. */
const DIALED = /^[\d(][-.() /\d]{3,}$/;

const NUMBER = /^(?:tel:)?(\+[-.() ]*\d[-.() \d]*)(?:;(?:ext=[-.()\d]+|isub=[^;\s]+))*$/i;

/** The 1 in Mexican mobile numbers, which was abolished in 2019, and which libphonenumber has rejected since 8.13.38. */
const MEXICAN_MOBILE = /^521(?=\d{10}$)/;
