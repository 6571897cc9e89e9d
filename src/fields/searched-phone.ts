import { parsePhone } from "./phone.ts";
import { SEPARATORS } from "./phone-reader.ts";
import { trimText } from "./trim-text.ts";

/**
 * Parses the phone number in a search to E.164, or the beginning of a number to the beginning of its E.164. Both are in the
 * format of `parsePhone`. Neither needs to be possible: a search for such a number finds nobody.
 */
export function parseSearchedPhone(value: string, part: "whole" | "start"): ReturnType<typeof parsePhone> {
  if (part === "whole") {
    const number = parsePhone(value);
    if (number.ok) return number;
  }
  const [, digits] = BEGINNING.exec(trimText(value)) ?? [];
  if (digits === undefined) {
    const what = part === "whole" ? "a phone number" : "the beginning of a phone number";
    return { ok: false, description: `must be ${what} in global format, such as ${EXAMPLES[part]}` };
  }
  return { ok: true, e164: `+${digits.replace("(0)", "").replace(/\D/g, "")}` };
}

const EXAMPLES = { whole: "+41791234567", start: "+41 79" } as const;

const BEGINNING = new RegExp(`^(?:tel:)?\\+([${SEPARATORS}]*\\d[${SEPARATORS}\\d]*)$`, "iu");
