import type { PageResponse } from "./page.ts";

/** The response with more headers `set-cookie`. */
export function withCookies(response: PageResponse, cookies: readonly string[]): PageResponse {
  const { "set-cookie": own = [], ...headers } = response.headers;
  return { ...response, headers: { ...headers, "set-cookie": [own, cookies].flat() } };
}
