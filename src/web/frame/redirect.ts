import type { PageResponse } from "./page.ts";
import { PRIVATE_HEADERS } from "./render-page.ts";

/** Makes the browser open another URL with GET. */
export function redirect(location: string, cookies: readonly string[] = []): PageResponse {
  const { "cross-origin-opener-policy": _, ...headers } = PRIVATE_HEADERS;
  return { status: 303, headers: { ...headers, location, "set-cookie": cookies }, body: "" };
}
