import { parsePhoneNumberFromString } from "libphonenumber-js/max";

export type ParsedPhone =
  | { readonly ok: true; readonly e164: string }
  | { readonly ok: false; readonly description: string };

/**
 * A phone number in the global format of RFC 3966 (section 3, `global-number-digits`), as E.164.
 *
 * Beyond the RFC, `tel:` may be left out and spaces may separate digits. Parameters, extensions, local numbers and any
 * other text are refused: what is stored is the whole of what was given. A trunk prefix that people write in brackets,
 * as in `+44 (0)20 …`, is dropped.
 *
 * The number must be possible: a calling code that exists, with a length that it has. It need not lie in a range that is
 * known to be in use (`isValid`), because new ranges are opened every month and real numbers would be refused until the
 * next update.
 */
export function parsePhone(value: string): ParsedPhone {
  if (!/^(?:tel:)?\+[-.() ]*\d[-.() \d]*$/i.test(value)) {
    return {
      ok: false,
      description: "must be a phone number in global format, such as +41791234567 or tel:+41-79-123-45-67",
    };
  }
  const digits = value.replace(/\D/g, "");
  const number = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (!number?.isPossible()) {
    return {
      ok: false,
      description: "must be a possible phone number: an existing country calling code and a number of its length",
    };
  }
  return { ok: true, e164: number.number };
}
