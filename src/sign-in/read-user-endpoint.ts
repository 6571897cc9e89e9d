import { ProviderError, ProviderStatusError } from "../idps/discover-provider.ts";
import type { Claims } from "./claims.ts";
import type { OAuthClient } from "./idp-clients.ts";

/**
 * Reads the data about a user from the user endpoint of an OAuth provider.
 *
 * @throws ProviderError
 */
export async function readUserEndpoint(client: OAuthClient, accessToken: string): Promise<Claims> {
  const response = await request(client, accessToken, client.endpoints.user);
  if (response.status !== 200) throw new ProviderStatusError("the user endpoint", response.status);
  const user: unknown = await response.json().catch((cause) => {
    throw new ProviderError("the response of the user endpoint is not JSON", { cause });
  });
  if (typeof user !== "object" || user === null) {
    throw new ProviderError("the response of the user endpoint is not a JSON object");
  }
  return { ...user };
}

/** Loads JSON from a path below the user endpoint. Undefined if the provider refuses, or sends something else. */
export async function loadBelow(client: OAuthClient, accessToken: string, path: string): Promise<unknown> {
  const url = new URL(client.endpoints.user);
  url.pathname += path;
  const response = await request(client, accessToken, url.href);
  return response.status === 200 ? await response.json().catch(() => undefined) : undefined;
}

async function request({ configuration }: OAuthClient, accessToken: string, url: string): Promise<Response> {
  const { fetchProtectedResource } = await import("openid-client");
  // GitHub requires a user agent.
  const headers = new Headers({ accept: "application/json", "user-agent": "signet" });
  return await fetchProtectedResource(configuration, accessToken, new URL(url), "GET", undefined, headers).catch(
    (cause) => {
      throw new ProviderError("the user endpoint could not be used", { cause });
    },
  );
}
