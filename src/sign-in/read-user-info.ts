import { ProviderError, ProviderStatusError } from "../idps/discover-provider.ts";
import type { Claims } from "./claims.ts";
import type { OpenIdClient } from "./idp-clients.ts";

/**
 * Reads the claims of a user from the userinfo endpoint (OpenID Connect Core 1.0, section 5.3). If the provider signs
 * them, the signature is verified. Returns no claims if the provider has no such endpoint.
 *
 * openid-client's `fetchUserInfo` verifies a signature with keys that can be a minute old.
 *
 * @throws ProviderError, or an error of openid-client.
 */
export async function readUserInfo(
  client: OpenIdClient,
  { externalUserId, accessToken }: { readonly externalUserId: string; readonly accessToken: string },
): Promise<Claims> {
  const { issuer, userinfo_endpoint } = client.configuration.serverMetadata();
  if (userinfo_endpoint === undefined) return {};
  const { fetchProtectedResource } = await import("openid-client");
  const headers = new Headers({ accept: "application/json, application/jwt" });
  const url = new URL(userinfo_endpoint);
  const response = await fetchProtectedResource(client.configuration, accessToken, url, "GET", undefined, headers);
  if (response.status !== 200) throw new ProviderStatusError("it", response.status);
  const claims = isSigned(response) ? await readSigned(client, response, issuer) : await readUnsigned(response);
  if (claims.sub !== externalUserId) throw new ProviderError("the claim sub is another user");
  return claims;
}

function isSigned(response: Response): boolean {
  const [type = ""] = (response.headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase() === "application/jwt";
}

/** `iss` and `aud` are optional, but must be those of an ID token. */
async function readSigned({ configuration, keys }: OpenIdClient, response: Response, issuer: string): Promise<Claims> {
  const claims = await keys.verify(await response.text());
  const { iss = issuer, aud = configuration.clientMetadata().client_id } = claims;
  if (iss !== issuer) throw new ProviderError("the claim iss is not the provider");
  if (![aud].flat().includes(configuration.clientMetadata().client_id)) {
    throw new ProviderError("the claim aud does not contain the client id");
  }
  return claims;
}

async function readUnsigned(response: Response): Promise<Claims> {
  const claims: unknown = await response.json().catch((cause) => {
    throw new ProviderError("its response is not JSON", { cause });
  });
  if (typeof claims !== "object" || claims === null) throw new ProviderError("its response is not a JSON object");
  return { ...claims };
}
