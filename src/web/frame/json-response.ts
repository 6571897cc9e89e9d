import type { PageHeaders, PageResponse } from "./page.ts";
import { PRIVATE_HEADERS } from "./render-page.ts";

/** A response to the script of a page. */
export function jsonResponse(status: number, body: object, headers: PageHeaders = {}): PageResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...PRIVATE_HEADERS, ...headers },
    body: JSON.stringify(body),
  };
}
