import { invalidArgument, SignetError } from "../errors.ts";
import type { Budgets } from "./budgets.ts";

/** Headers that a request may have only once. Node uses the first occurrence, but a proxy may have used the last. */
const SINGLE = new Set(["host", "authorization", "content-type", "content-length"]);

/**
 * Returns an error for a request head that is too large, or that repeats a header that may appear only once (RFC 9110,
 * section 5.3; RFC 9112, section 3.2).
 *
 * @param raw Alternating names and values, as they were sent.
 */
export function findHeadError(raw: readonly string[], budgets: Budgets): SignetError | undefined {
  const seen = new Set<string>();
  let bytes = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    bytes += name.length + (raw[at + 1]?.length ?? 0) + 32;
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return invalidArgument({ field: name, description: "must appear only once" });
    seen.add(name);
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
