import { invalidArgument, SignetError } from "../errors.ts";
import type { Budgets } from "./budgets.ts";

/** Headers that a request may have only once. Node uses the first occurrence, but a proxy may have used the last. */
const SINGLE: readonly string[] = ["host", "authorization", "content-type", "content-length"];

/**
 * Returns an error for a request head that is too large, or that repeats a header that may appear only once (RFC 9110,
 * section 5.3; RFC 9112, section 3.2).
 *
 * @param raw Alternating names and values, as they were sent.
 */
export function findHeadError(raw: readonly string[], budgets: Budgets): SignetError | undefined {
  let bytes = 0;
  let seen = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    bytes += name.length + (raw[at + 1]?.length ?? 0) + 32;
    const bit = bitOf(name);
    if (seen & bit) return invalidArgument({ field: name.toLowerCase(), description: "must appear only once" });
    seen |= bit;
  }
  if (bytes > budgets.headerBytes || raw.length > 2 * budgets.headerFields) return headersTooLarge(budgets);
  return undefined;
}

/**
 * A bit for each of `SINGLE`, 0 for other names. The lengths are compared first, so that most names need no conversion.
 */
function bitOf(name: string): number {
  for (let at = 0; at < SINGLE.length; at += 1) {
    if (SINGLE[at]?.length === name.length && SINGLE[at] === name.toLowerCase()) return 1 << at;
  }
  return 0;
}

export function headersTooLarge({ headerBytes, headerFields }: Budgets): SignetError {
  return new SignetError(
    "HEADERS_TOO_LARGE",
    `the headers have more than ${headerBytes} bytes, or more than ${headerFields} fields`,
    { metadata: { limit: String(headerBytes), fieldLimit: String(headerFields) } },
  );
}
