import type { PageBranding } from "../../branding/create-brandings.ts";
import type { LaidOutPage, PageHeaders, PageResponse } from "./page.ts";
import { PRIVATE_HEADERS } from "./render-page.ts";

/** Makes the browser open another URL with GET. */
export function redirect(location: string, cookies: readonly string[] = []): PageResponse {
  const { "cross-origin-opener-policy": _, ...headers } = PRIVATE_HEADERS;
  return { status: 303, headers: { ...headers, location, "set-cookie": cookies }, body: "" };
}

/** The response with more headers `set-cookie`. */
export function withCookies(response: PageResponse, cookies: readonly string[]): PageResponse {
  const { "set-cookie": own = [], ...headers } = response.headers;
  return { ...response, headers: { ...headers, "set-cookie": [own, cookies].flat() } };
}

/** A response to the script of a page. */
export function jsonResponse(status: number, body: object, headers: PageHeaders = {}): PageResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...PRIVATE_HEADERS, ...headers },
    body: JSON.stringify(body),
  };
}

/** A page in a branding. Other responses do not change. */
export function layOut({ orgId: _, body, ...response }: PageResponse, branding: PageBranding): LaidOutPage {
  return { ...response, body: typeof body === "function" ? body(branding) : body };
}

/** A page in the branding of an organization, whose users see it. */
export function inOrg(orgId: string, response: PageResponse): PageResponse {
  return { ...response, orgId };
}
