import { invalidArgument, SignetError } from "../errors.ts";
import type { Budgets } from "./budgets.ts";

/** Headers that a request may have once. Node keeps the first of several, where a proxy may have read the last. */
const SINGLE: ReadonlySet<string> = new Set(["host", "authorization", "content-type", "content-length"]);

/**
 * What is wrong with the head of a request: too large, or a header given twice that must be given once (RFC 9110,
 * section 5.3; RFC 9112, section 3.2).
 *
 * @param raw Names and values in turn, as they were sent.
 */
export function describeHeadProblem(raw: readonly string[], budgets: Budgets): SignetError | undefined {
  let bytes = 0;
  let seen: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    bytes += name.length + (raw[at + 1]?.length ?? 0) + 32;
    // Of HTTP/2 names arrive in lower case; the short cut by length spares HTTP/1.1 most conversions.
    if (name.length < 4 || name.length > 14) continue;
    const key = name.toLowerCase();
    if (!SINGLE.has(key)) continue;
    if (seen?.includes(`${key};`)) return invalidArgument({ field: key, description: "must be given once" });
    seen = `${seen ?? ""}${key};`;
  }
  if (bytes > budgets.headerBytes || raw.length > 2 * budgets.headerFields) return headersTooLarge(budgets);
  return undefined;
}

export function headersTooLarge({ headerBytes, headerFields }: Budgets): SignetError {
  return new SignetError(
    "HEADERS_TOO_LARGE",
    `the headers have more than ${headerBytes} bytes, or more than ${headerFields} fields`,
  );
}
