import { invalidArgument, SignetError } from "../errors.ts";
import type { Budgets } from "./budgets.ts";

/** Headers that a request may have once. Node keeps the first of several, where a proxy may have read the last. */
const SINGLE: ReadonlySet<string> = new Set(["host", "authorization", "content-type", "content-length"]);

const SINGLE_LENGTHS: ReadonlySet<number> = new Set([...SINGLE].map(({ length }) => length));

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
    // Spares most names the conversion.
    if (!SINGLE_LENGTHS.has(name.length)) continue;
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
    { metadata: { limit: String(headerBytes), fieldLimit: String(headerFields) } },
  );
}
