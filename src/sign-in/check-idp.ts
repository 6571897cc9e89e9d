import type { Config } from "../config.ts";
import { discoverProvider, ProviderError, type ProviderMetadata } from "../idps/discover-provider.ts";
import type { OutboundFetch } from "../outbound/outbound-fetch.ts";
import { createConfiguration, createIdpFetch } from "./idp-clients.ts";

/** The part of a provider's configuration that can be checked without a user. */
interface IdpToCheck {
  readonly clientId: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly isOfInstance: boolean;
}

/** The findings about a configuration, one line each. */
export interface IdpCheck {
  /** Users cannot sign in. */
  readonly problems: readonly string[];
  /** May be intended, or may prevent something. */
  readonly warnings: readonly string[];
}

/**
 * Loads a provider's metadata and keys like a sign-in, and compares them with the configuration. Whether the provider
 * accepts client id, client secret and callback URL is not known until a user signs in.
 */
export async function checkIdp(config: Pick<Config, "idpAllowPrivateNetworks">, idp: IdpToCheck): Promise<IdpCheck> {
  const fetch = createIdpFetch(config, idp);
  try {
    const metadata = await discoverProvider(fetch, idp.issuer);
    await createConfiguration(idp, "unused", metadata, fetch);
    const problems = await findKeyProblems(fetch, metadata);
    return { problems, warnings: findWarnings(idp, metadata) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { message, cause } = error;
    return { problems: [cause instanceof Error ? `${message}: ${cause.message}` : message], warnings: [] };
  }
}

async function findKeyProblems(fetch: OutboundFetch, { jwks_uri }: ProviderMetadata): Promise<string[]> {
  let keys: unknown;
  try {
    const response = await fetch(jwks_uri, { headers: { accept: "application/json, application/jwk-set+json" } });
    if (response.status !== 200) return [`jwks_uri: ${jwks_uri} answers with status ${response.status} instead of 200`];
    ({ keys } = (await response.json()) as { keys?: unknown });
  } catch (error) {
    return [`jwks_uri: ${jwks_uri} cannot be loaded: ${error instanceof Error ? error.message : error}`];
  }
  return Array.isArray(keys) && keys.length > 0 ? [] : [`jwks_uri: ${jwks_uri} has no keys`];
}

function findWarnings({ scopes, issuer }: IdpToCheck, metadata: ProviderMetadata): string[] {
  const { scopes_supported, userinfo_endpoint, code_challenge_methods_supported: methods } = metadata;
  const unsupported = scopes_supported ? scopes.filter((scope) => !scopes_supported.includes(scope)) : [];
  return [
    ...(unsupported.length > 0 ? [`scopes: the provider does not list ${unsupported.join(", ")}`] : []),
    ...(userinfo_endpoint === undefined
      ? ["userinfo_endpoint: is missing; claims are read from the ID token only"]
      : []),
    ...(methods !== undefined && !methods.includes("S256")
      ? ["code_challenge_methods_supported: has no S256, which Signet sends"]
      : []),
    ...(issuer.startsWith("http:") ? ["issuer: is not encrypted"] : []),
  ];
}
