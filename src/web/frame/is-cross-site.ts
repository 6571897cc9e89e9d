import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a POST comes from a page of another site. This is a second line of defense: each form contains a token or the
 * code of a link, which no other site knows.
 *
 * Our own pages have the host of PUBLIC_URL, or the host of the request, because a machine may have several names. With
 * `Referrer-Policy: no-referrer`, browsers send `Origin: null` from our own forms (Fetch standard, "append a request
 * `Origin` header"). Over plain HTTP they send no `Sec-Fetch-Site`.
 */
export function isCrossSite(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const { origin } = headers;
  if (origin === undefined || origin === "null") return false;
  const host = URL.parse(origin)?.host;
  return host === undefined || ![new URL(publicUrl).host, headers[":authority"] ?? headers.host].includes(host);
}
