import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export type ParsedPhone =
  | { readonly ok: true; readonly e164: string }
  | { readonly ok: false; readonly description: string };

/**
 * Parses a phone number in the global format of RFC 3966 (section 3, `global-number-digits`) to E.164.
 *
 * Beyond the RFC, `tel:` is optional and spaces may separate digits. Parameters, extensions, local numbers and any
 * other text are rejected, so no part of the input is lost. A trunk prefix in parentheses, as in `+44 (0)20 …`, is
 * removed.
 *
 * The number must be possible: its calling code exists and has numbers of this length. It need not be in a range that
 * is in use (libphonenumber's `isValid`), because new ranges open every month, and real numbers would be rejected until
 * the next update.
 */
export function parsePhone(value: string): ParsedPhone {
  if (!/^(?:tel:)?\+[-.() ]*\d[-.() \d]*$/i.test(value)) {
    return {
      ok: false,
      description: "must be a phone number in global format, such as +41791234567 or tel:+41-79-123-45-67",
    };
  }
  const digits = value.replace(/\D/g, "");
  const number = loadPhones().parsePhoneNumberFromString(`+${digits}`, { extract: false });
  if (!number?.isPossible()) {
    return {
      ok: false,
      description: "must be a possible phone number, with an existing country calling code and a valid length",
    };
  }
  return { ok: true, e164: number.number };
}

/** Loads the package, which has 93 modules and takes 30 ms, unless it is already loaded. */
export function loadPhones(): typeof import("libphonenumber-js/max") {
  return require("libphonenumber-js/max");
}
