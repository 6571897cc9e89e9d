import type { Configuration } from "openid-client";

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
