import type { IncomingHttpHeaders } from "node:http";

/** Converts the headers of a request for Connect's handlers, without the pseudo-headers of HTTP/2 and the length. */
export function toHeaders(headers: IncomingHttpHeaders): Headers {
  const header = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(":") || name === "content-length" || value === undefined) continue;
    for (const each of typeof value === "string" ? [value] : value) header.append(name, each);
  }
  return header;
}
