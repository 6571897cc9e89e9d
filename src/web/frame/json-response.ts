import type { PageResponse } from "./page.ts";
import { PRIVATE_HEADERS } from "./render-page.ts";

/** An answer to a script of a page. */
export function jsonResponse(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PageResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...PRIVATE_HEADERS, ...headers },
    body: JSON.stringify(body),
  };
}
