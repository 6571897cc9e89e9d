import type { Exchange } from "../http/exchange.ts";
import { ROUTES } from "./routes.ts";

/** The parameters become part of a URL, whose length browsers and proxies limit. */
export const MAX_REDIRECTED_BYTES = 8_192;

/**
 * Whether a request is redirected to the same request by GET, because browsers send our `SameSite=Lax` cookies from
 * another site only with GET: authorization (OpenID Connect Core 1.0, section 3.1.2.1) and sign-out (OpenID Connect
 * RP-Initiated Logout 1.0, section 2).
 */
export function isRedirected({ method, path }: Exchange): boolean {
  return method === "POST" && (path === ROUTES.authorization || path === ROUTES.end_session);
}

/** @returns The status. */
export function redirectPost(exchange: Exchange, form: Buffer): number {
  const location = `${exchange.path}?${new URLSearchParams(form.toString("utf8"))}`;
  exchange.send(303, ["x-request-id", exchange.id, "cache-control", "no-store", "location", location]);
  return 303;
}
