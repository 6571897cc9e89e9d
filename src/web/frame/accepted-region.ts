import type { IncomingHttpHeaders } from "node:http";
import { acceptedTags } from "./accepted-language.ts";

/**
 * The region of the browser's user, such as `CH`: that of the preferred language tag in `Accept-Language`, or else the
 * most likely one of its language.
 */
export function acceptedRegion(headers: IncomingHttpHeaders): string | undefined {
  const [tag = ""] = acceptedTags(headers);
  try {
    return new Intl.Locale(tag).maximize().region;
  } catch {
    // `*`, or no language tag.
    return undefined;
  }
}
