import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a POST comes from a page that is not ours. There is no cookie and so nothing that a browser would add by
 * itself; the form carries the link's code, which no other site knows. This check stands before that one.
 *
 * Ours is what lies at PUBLIC_URL, or at the name by which the request came: this machine may have several. Browsers send
 * `Origin: null` from our forms, because of `Referrer-Policy: no-referrer` (Fetch standard, "append a request `Origin`
 * header"), and no `Sec-Fetch-Site` over HTTP without TLS.
 */
export function isForeign(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const { origin } = headers;
  if (origin === undefined || origin === "null") return false;
  const host = URL.parse(origin)?.host;
  return host === undefined || ![new URL(publicUrl).host, headers[":authority"] ?? headers.host].includes(host);
}
