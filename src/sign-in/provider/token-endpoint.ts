import type { ClientAuth, Configuration } from "openid-client";
import type { OutboundFetch } from "../../outbound/outbound-fetch.ts";

/** The ways to send the client secret to the token endpoint. The one that the provider accepted last comes first. */
export type TokenConfigurations = [Configuration, Configuration?];

/**
 * Sends a request to the token endpoint. If the provider rejects the client, it is sent once more with the other way to
 * send the secret, because many providers list two ways but accept only the one that the client is registered for. A
 * provider authenticates the client before it looks at the code, so the code is still valid (RFC 6749, section 4.1.3).
 */
export async function redeemWithSecret<Tokens>(
  configurations: TokenConfigurations,
  redeem: (configuration: Configuration) => Promise<Tokens>,
): Promise<Tokens> {
  const [first, other] = configurations;
  try {
    return await redeem(first);
  } catch (error) {
    if (other === undefined || !(await isInvalidClient(error))) throw error;
    const tokens = await redeem(other);
    configurations.splice(0, 2, other, first);
    return tokens;
  }
}

/**
 * RFC 6749, section 5.2. X sends the status 401 with another error. A response with the header `www-authenticate` has an
 * error of its own.
 */
async function isInvalidClient(error: unknown): Promise<boolean> {
  const { ResponseBodyError, WWWAuthenticateChallengeError } = await import("openid-client");
  if (error instanceof ResponseBodyError) return error.error === "invalid_client" || error.status === 401;
  return error instanceof WWWAuthenticateChallengeError && error.status === 401;
}

/**
 * Sends the client secret in the header `authorization` (RFC 6749, section 2.3.1). Unlike `ClientSecretBasic` of
 * openid-client, it does not encode `-._~!*'()`, which mean the same either way, because X and others compare the header
 * without decoding it.
 */
export function clientSecretBasic(clientSecret: string): ClientAuth {
  return (_server, { client_id: clientId }, _body, headers) => {
    const credentials = [clientId, clientSecret].map(encodeURIComponent).join(":");
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  };
}

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
