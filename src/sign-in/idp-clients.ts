import type { Configuration, ServerMetadata } from "openid-client";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { discoverProvider, ProviderError, type ProviderMetadata } from "../idps/discover-provider.ts";
import type { SignInIdp } from "../idps/find-sign-in-idp.ts";
import { IDP_SEALED } from "../idps/idp-sealed.ts";
import { createOutboundFetch, type OutboundFetch } from "../outbound/outbound-fetch.ts";

/** The clients of identity providers. A request takes at most 5 seconds. */
export interface IdpClients {
  /**
   * The client of a provider, with metadata that is at most ten minutes old. A failure is remembered for ten seconds,
   * so a provider that is down costs nothing.
   *
   * @throws ProviderError if the provider cannot be used.
   */
  find(idp: SignInIdp): Promise<Configuration>;
}

const METADATA_MS = 10 * 60_000;
const FAILURE_MS = 10_000;
/** About 10 MB. When full, the oldest one is dropped. */
const MAX_CLIENTS = 1_000;

const REQUEST_MS = 5_000;
const MAX_BODY_BYTES = 64 * 1_024;

interface IdpClientsParts {
  readonly config: Pick<Config, "idpAllowPrivateNetworks">;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export function createIdpClients({ config, keyring, clock }: IdpClientsParts): IdpClients {
  const found = new Map<string, { readonly configuration: Promise<Configuration>; until: number }>();

  async function create(idp: SignInIdp): Promise<Configuration> {
    const fetch = createIdpFetch(config, idp);
    const metadata = await discoverProvider(fetch, idp.issuer);
    const sealed = { keyId: idp.clientSecretKey, ciphertext: idp.clientSecret };
    const secret = keyring.open({ ...IDP_SEALED, rowId: idp.id }, sealed);
    return await createConfiguration(idp, secret, metadata, fetch);
  }

  return {
    find(idp) {
      const version = `${idp.id} ${idp.sequence}`;
      const now = clock().getTime();
      const known = found.get(version);
      if (known !== undefined && now < known.until) return known.configuration;
      const entry = { configuration: create(idp), until: now + METADATA_MS };
      entry.configuration.catch(() => {
        entry.until = clock().getTime() + FAILURE_MS;
      });
      found.delete(version);
      found.set(version, entry);
      if (found.size > MAX_CLIENTS) found.delete(found.keys().next().value ?? "");
      return entry.configuration;
    },
  };
}

/** Only the operator's own providers may be in private networks, because organizations choose theirs. */
export function createIdpFetch(
  { idpAllowPrivateNetworks }: Pick<Config, "idpAllowPrivateNetworks">,
  { isOfInstance }: Pick<SignInIdp, "isOfInstance">,
): OutboundFetch {
  const allowsPrivate = isOfInstance || idpAllowPrivateNetworks;
  return createOutboundFetch({ allowsPrivate, timeoutMs: REQUEST_MS, maxBodyBytes: MAX_BODY_BYTES });
}

/** @throws ProviderError if the provider supports no method that Signet supports. */
export async function createConfiguration(
  { clientId, issuer }: Pick<SignInIdp, "clientId" | "issuer">,
  clientSecret: string,
  metadata: ProviderMetadata,
  fetch: OutboundFetch,
): Promise<Configuration> {
  // Loaded on first use, so that startup does not wait for these modules.
  const client = await import("openid-client");
  const authenticate = client[chooseAuthentication(metadata)](clientSecret);
  const server = { ...metadata, id_token_signing_alg_values_supported: chooseAlgorithms(metadata) };
  const configuration = new client.Configuration(server as ServerMetadata, clientId, undefined, authenticate);
  // In seconds. The limit of the `fetch` is lower, and its error is more specific.
  configuration.timeout = REQUEST_MS / 1_000 + 1;
  configuration[client.customFetch] = (url, init) => fetch(url, init);
  client.enableNonRepudiationChecks(configuration);
  // The schema of the API allows http for an issuer on this machine only.
  if (issuer.startsWith("http:")) client.allowInsecureRequests(configuration);
  return configuration;
}

/** The default is defined by OpenID Connect Discovery 1.0, section 3. */
function chooseAuthentication({ token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] }) {
  if (methods.includes("client_secret_basic")) return "ClientSecretBasic";
  if (methods.includes("client_secret_post")) return "ClientSecretPost";
  throw new ProviderError(
    "token_endpoint_auth_methods_supported: has neither client_secret_basic nor client_secret_post",
  );
}

/** Only signatures that can be verified with the provider's published keys. */
function chooseAlgorithms({ id_token_signing_alg_values_supported: algorithms = ["RS256"] }): string[] {
  const usable = algorithms.filter((name) => /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/.test(name));
  if (usable.length > 0) return usable;
  throw new ProviderError("id_token_signing_alg_values_supported: has no algorithm with a public key, such as RS256");
}
