import type { IncomingHttpHeaders } from "node:http";

/** A request's headers as Connect's handlers take them: without the pseudo-headers of HTTP/2, and without the length. */
export function toHeaders(headers: IncomingHttpHeaders): Headers {
  const header = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(":") || name === "content-length" || value === undefined) continue;
    for (const each of typeof value === "string" ? [value] : value) header.append(name, each);
  }
  return header;
}
