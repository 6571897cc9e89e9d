import { SignetError } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { sendError } from "../http/router.ts";

/** The parameters become part of a URL, whose length browsers and proxies limit. */
const MAX_BYTES = 8_192;

/**
 * Redirects an authorization request by POST (OpenID Connect Core 1.0, section 3.1.2.1) to the same request by GET,
 * because browsers send our `SameSite=Lax` cookies only with GET.
 */
export async function redirectPost(exchange: Exchange): Promise<void> {
  const headers = ["x-request-id", exchange.id, "cache-control", "no-store"];
  const type = exchange.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") {
    const error = new SignetError("CONTENT_TYPE_UNSUPPORTED", "expected application/x-www-form-urlencoded");
    return sendError(exchange, headers, error);
  }
  const body = await exchange.readBody({ maxBytes: MAX_BYTES, overheadBytes: 0, isOver: () => false });
  if (body instanceof SignetError) return sendError(exchange, headers, body);
  exchange.send(303, [...headers, "location", `${exchange.path}?${new URLSearchParams(body.toString("utf8"))}`]);
}
