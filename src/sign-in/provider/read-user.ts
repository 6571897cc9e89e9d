import { ProviderError, ProviderStatusError } from "../../idps/discover-provider.ts";
import type { OAuthClient, OpenIdClient } from "./idp-clients.ts";
import type { Claims } from "./kinds/kind.ts";

interface FoundUser {
  /** Not checked for its length. */
  readonly id: string;
  /** The object with the member that is the id. */
  readonly user: Claims;
}

/**
 * Finds the user in the response of a user endpoint.
 *
 * @param path The member that is the id, or if there is no such member, the names of the members that lead to it,
 *   separated by dots: `data.id` for `{"data":{"id":"1"}}`.
 * @throws ProviderError if the member is missing, or neither a text nor a whole number.
 */
export function findUser(response: Claims, path: string): FoundUser {
  const names = Object.hasOwn(response, path) ? [path] : path.split(".");
  const last = names.pop() ?? "";
  const user = names.reduce<unknown>(readOwn, response);
  const value = readOwn(user, last);
  if (typeof value === "string") return { id: value, user: user as Claims };
  // A number beyond 2^53 may have lost digits, which would make it the id of another user.
  if (Number.isSafeInteger(value)) return { id: String(value), user: user as Claims };
  throw new ProviderError(`${path} in the response of the user endpoint is neither a text nor a whole number`);
}

/** A member of an object that is not inherited, such as `constructor` would be. */
function readOwn(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return;
  return (value as Claims)[name];
}

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
  { sub, accessToken }: { readonly sub: unknown; readonly accessToken: string },
): Promise<Claims> {
  const { issuer, userinfo_endpoint } = client.configuration.serverMetadata();
  if (userinfo_endpoint === undefined) return {};
  const { fetchProtectedResource } = await import("openid-client");
  const headers = new Headers({ accept: "application/json, application/jwt" });
  const url = new URL(userinfo_endpoint);
  const response = await fetchProtectedResource(client.configuration, accessToken, url, "GET", undefined, headers);
  if (response.status !== 200) throw new ProviderStatusError("it", response.status);
  const claims = isSigned(response) ? await readSigned(client, response, issuer) : await readUnsigned(response);
  if (claims.sub !== sub) throw new ProviderError("the claim sub is another user");
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
