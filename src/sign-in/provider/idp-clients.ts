import { LRUCache } from "lru-cache";
import type { ClientAuth, Configuration, ServerMetadata } from "openid-client";
import type { Clock } from "../../clock.ts";
import type { Config } from "../../config.ts";
import type { Keyring } from "../../crypto/keyring.ts";
import { discoverProvider, ProviderError, type ProviderMetadata } from "../../idps/discover-provider.ts";
import type { SignInIdp } from "../../idps/find-sign-in-idp.ts";
import { IDP_SEALED } from "../../idps/insert-idp.ts";
import type { SamlThread } from "../../idps/saml/saml-thread.ts";
import { readSigningKey } from "../../idps/saml/signing-key.ts";
import { createOutboundFetch, type OutboundFetch } from "../../outbound/outbound-fetch.ts";
import type { KindIdp, OAuthEndpoints, OAuthKind, OpenIdKind } from "./kinds/kind.ts";
import { SIGN_IN_KINDS } from "./kinds/kinds.ts";
import { PROVIDER_HOSTS, type ProviderHosts } from "./kinds/provider-hosts.ts";
import { createKeyReloads, createProviderKeys, type ProviderKeys, PUBLIC_KEY_ALGORITHMS } from "./provider-keys.ts";
import { type SamlClient, toServiceProvider } from "./saml-sign-in.ts";
import { clientSecretBasic, readTokensOnly, type TokenConfigurations } from "./token-endpoint.ts";

/** A client of an identity provider of some kind. */
export type IdpClient = OpenIdClient | OAuthClient | SamlClient;

interface CommonClient {
  readonly idp: KindIdp & Pick<SignInIdp, "scopes">;
  /** Verifies claims, but no signatures. */
  readonly configuration: Configuration;
  /** The same, for the token endpoint: one for each way to send the client secret that the provider may accept. */
  readonly tokenConfigurations: TokenConfigurations;
}

export interface OpenIdClient extends CommonClient {
  readonly kind: OpenIdKind;
  /** Verifies signatures. */
  readonly keys: ProviderKeys;
}

export interface OAuthClient extends CommonClient {
  readonly kind: OAuthKind;
  readonly endpoints: OAuthEndpoints;
}

/** The clients of identity providers. A request takes at most 5 seconds. */
export interface IdpClients {
  /**
   * The client of a provider, with metadata that is at most ten minutes old. A failure is remembered for ten seconds,
   * so a provider that is down costs nothing.
   *
   * @throws ProviderError if the provider cannot be used.
   */
  find(idp: SignInIdp): Promise<IdpClient>;
}

const METADATA_MS = 10 * 60_000;
const FAILURE_MS = 10_000;
/** About 10 MB. When full, the least recently used one is dropped. */
const MAX_CLIENTS = 1_000;

const REQUEST_MS = 5_000;
const MAX_BODY_BYTES = 64 * 1_024;

interface IdpClientsParts {
  readonly config: Pick<Config, "idpAllowPrivateNetworks" | "publicUrl">;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly saml: SamlThread;
  readonly providerHosts?: ProviderHosts | undefined;
}

export function createIdpClients(parts: IdpClientsParts): IdpClients {
  const { config, keyring, clock, saml, providerHosts: hosts = PROVIDER_HOSTS } = parts;
  const found = new LRUCache<string, { readonly client: Promise<IdpClient>; until: number }>({ max: MAX_CLIENTS });
  const keyReloads = createKeyReloads(clock);

  async function create(idp: SignInIdp): Promise<IdpClient> {
    const kind = SIGN_IN_KINDS[idp.kind];
    const fetch = createIdpFetch(config, idp);
    const secret = openClientSecret(keyring, idp);
    if (kind.protocol === "saml") {
      const [serviceProvider, key] = [toServiceProvider(config, idp), readSigningKey(secret)];
      return { kind, idp, serviceProvider, key, thread: saml };
    }
    if (kind.protocol === "oauth") return await connectOAuth(kind, idp, secret, { fetch, hosts });
    const metadata = await discoverKind(kind, idp, { fetch, hosts });
    const authenticate = kind.authenticate?.(idp, secret, { hosts, clock });
    const tokenConfigurations = await createConfigurations(idp, secret, metadata, fetch, authenticate);
    const mayReload = () => keyReloads.spend(idp.ownerId);
    const keys = createProviderKeys({ fetch, jwksUri: metadata.jwks_uri, clock, mayReload });
    return { kind, idp, configuration: tokenConfigurations[0], tokenConfigurations, keys };
  }

  return {
    find(idp) {
      const version = `${idp.id} ${idp.sequence}`;
      const now = clock().getTime();
      const known = found.get(version);
      if (known !== undefined && now < known.until) return known.client;
      const entry = { client: create(idp), until: now + METADATA_MS };
      entry.client.catch(() => {
        entry.until = clock().getTime() + FAILURE_MS;
      });
      found.set(version, entry);
      return entry.client;
    },
  };
}

export function openClientSecret(
  keyring: Keyring,
  { id, clientSecretKey, clientSecret }: Pick<SignInIdp, "id" | "clientSecret" | "clientSecretKey">,
): string {
  return keyring.open({ ...IDP_SEALED, rowId: id }, { keyId: clientSecretKey, ciphertext: clientSecret });
}

/** Only the operator's own providers may be in private networks, because organizations choose theirs. */
export function createIdpFetch(
  { idpAllowPrivateNetworks }: Pick<Config, "idpAllowPrivateNetworks">,
  { isOfInstance }: Pick<SignInIdp, "isOfInstance">,
): OutboundFetch {
  const allowsPrivate = isOfInstance || idpAllowPrivateNetworks;
  return createOutboundFetch({ allowsPrivate, timeoutMs: REQUEST_MS, maxBodyBytes: MAX_BODY_BYTES });
}

export function discoverKind(
  kind: OpenIdKind,
  idp: KindIdp,
  { fetch, hosts }: { readonly fetch: OutboundFetch; readonly hosts: ProviderHosts },
): Promise<ProviderMetadata> {
  return discoverProvider(fetch, kind.issuerOf(idp, hosts), kind.issuerPattern?.(hosts));
}

/** OAuth 2.0 has no metadata, so the endpoints are configured, or part of the kind. */
async function connectOAuth(
  kind: OAuthKind,
  idp: KindIdp & Pick<SignInIdp, "scopes">,
  secret: string,
  { fetch, hosts }: { readonly fetch: OutboundFetch; readonly hosts: ProviderHosts },
): Promise<OAuthClient> {
  const endpoints = kind.endpointsOf(idp, hosts);
  const { authorization: authorization_endpoint, token: token_endpoint } = endpoints;
  const metadata = { issuer: new URL(token_endpoint).origin, authorization_endpoint, token_endpoint };
  const tokenConfigurations = await createConfigurations(idp, secret, metadata, readTokensOnly(fetch, token_endpoint));
  return { kind, idp, endpoints, configuration: tokenConfigurations[0], tokenConfigurations };
}

/**
 * Creates configurations that verify the claims of an ID token, but not its signature (see `ProviderKeys`). They differ
 * in how they send the client secret.
 *
 * @param authenticate Used instead of the client secret.
 * @throws ProviderError if the provider supports no method that Signet supports.
 */
export async function createConfigurations(
  { clientId }: Pick<SignInIdp, "clientId">,
  clientSecret: string,
  metadata: Omit<ProviderMetadata, "jwks_uri">,
  fetch: OutboundFetch,
  authenticate?: ClientAuth,
): Promise<TokenConfigurations> {
  // Loaded on first use, so that startup does not wait for these modules.
  const client = await import("openid-client");
  const server = { ...metadata, id_token_signing_alg_values_supported: chooseAlgorithms(metadata) } as ServerMetadata;
  const create = async (authentication: ClientAuth) => {
    const configuration = metadata.issuer.includes("{tenantid}")
      ? await createForTenants(server, clientId, authentication)
      : new client.Configuration(server, clientId, undefined, authentication);
    // In seconds. The limit of the `fetch` is lower, and its error is more specific.
    configuration.timeout = REQUEST_MS / 1_000 + 1;
    configuration[client.customFetch] = (url, init) => fetch(url, init);
    // The schema of the API allows http for a provider on this machine only.
    if (URLS.some((name) => metadata[name]?.startsWith("http:"))) client.allowInsecureRequests(configuration);
    return configuration;
  };
  if (authenticate !== undefined) return [await create(authenticate)];
  const [first, other] = chooseAuthentication(metadata);
  const methods = { client_secret_post: client.ClientSecretPost, client_secret_basic: clientSecretBasic };
  const firstConfiguration = await create(methods[first](clientSecret));
  return other === undefined ? [firstConfiguration] : [firstConfiguration, await create(methods[other](clientSecret))];
}

const URLS = ["issuer", "authorization_endpoint", "token_endpoint"] as const;

/**
 * A configuration for the metadata of several tenants of Microsoft. The library replaces `{tenantid}` in the issuer by
 * the claim `tid` only if it has loaded the metadata from Microsoft's address, so it gets those that are already loaded.
 */
async function createForTenants(
  server: ServerMetadata,
  clientId: string,
  authentication: ClientAuth,
): Promise<Configuration> {
  const { customFetch, discovery } = await import("openid-client");
  const loaded = async () => Response.json(server);
  const url = new URL(PROVIDER_HOSTS.microsoft);
  return await discovery(url, clientId, undefined, authentication, { [customFetch]: loaded });
}

type AuthenticationMethod = "client_secret_post" | "client_secret_basic";

/**
 * The methods to try, in this order. `client_secret_basic` comes last, because Google and others compare the header
 * without decoding its values, which RFC 6749, section 2.3.1, requires to be encoded. Metadata without methods mean
 * `client_secret_basic` (OpenID Connect Discovery 1.0, section 3), but providers that publish none often accept both.
 */
function chooseAuthentication({
  token_endpoint_auth_methods_supported: methods = ["client_secret_post", "client_secret_basic"],
}: Pick<ProviderMetadata, "token_endpoint_auth_methods_supported">): [AuthenticationMethod, AuthenticationMethod?] {
  const hasBasic = methods.includes("client_secret_basic");
  if (methods.includes("client_secret_post")) {
    return hasBasic ? ["client_secret_post", "client_secret_basic"] : ["client_secret_post"];
  }
  if (hasBasic) return ["client_secret_basic"];
  throw new ProviderError(
    "token_endpoint_auth_methods_supported: has neither client_secret_post nor client_secret_basic",
  );
}

/** Only signatures that can be verified with the provider's published keys. */
function chooseAlgorithms({
  id_token_signing_alg_values_supported: algorithms = ["RS256"],
}: Pick<ProviderMetadata, "id_token_signing_alg_values_supported">): string[] {
  const usable = algorithms.filter((name) => PUBLIC_KEY_ALGORITHMS.includes(name));
  if (usable.length > 0) return usable;
  throw new ProviderError("id_token_signing_alg_values_supported: has no algorithm with a public key, such as RS256");
}
