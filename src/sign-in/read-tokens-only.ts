import type { OutboundFetch } from "../outbound/outbound-fetch.ts";

/**
 * Converts the responses of an OAuth token endpoint: GitHub sends errors with the status 200, and an ID token, which
 * some providers send too, cannot be verified without metadata.
 */
export function readTokensOnly(fetch: OutboundFetch, tokenEndpoint: string): OutboundFetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (url !== tokenEndpoint || response.status !== 200) return response;
    const body: unknown = await response.json().catch(() => undefined);
    const { id_token: _, ...tokens }: { id_token?: unknown } = { ...(typeof body === "object" && body) };
    return Response.json(tokens, { status: "error" in tokens ? 400 : 200 });
  };
}
