import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey, LocalJWKSet } from "jose";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import { ProviderError, ProviderStatusError } from "../../idps/discover-provider.ts";
import type { OutboundFetch } from "../../outbound/outbound-fetch.ts";
import { createBucket, type Rate, spend, type TokenBucket } from "../../token-bucket.ts";

/** The published signing keys of a provider. */
export interface ProviderKeys {
  /**
   * Verifies the signature and the times of a JWT, and returns its claims. If no key fits, the provider may have
   * replaced its keys, so they are loaded again.
   *
   * @throws ProviderError if the keys cannot be loaded; otherwise an error of jose.
   */
  verify(jwt: string): Promise<JWTPayload>;
}

/** Signatures that can be verified with a published key. */
export const PUBLIC_KEY_ALGORITHMS: readonly string[] = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** How long keys are used before they are loaded again. A key that the provider withdraws counts until then. */
const KEYS_MS = 5 * 60_000;
/** The least time between two loads for JWTs with an unknown key. */
const RELOAD_MS = 5_000;
/** The same tolerance as for ID tokens in openid-client. */
const TOLERANCE_SECONDS = 30;

interface ProviderKeysParts {
  readonly fetch: OutboundFetch;
  readonly jwksUri: string;
  readonly clock: Clock;
  /** Whether the owner of the provider may cause another load for an unknown key. */
  readonly mayReload: () => boolean;
}

export function createProviderKeys({ fetch, jwksUri, clock, mayReload }: ProviderKeysParts): ProviderKeys {
  let known: { readonly keys: LocalJWKSet; readonly until: number } | undefined;
  let loading: Promise<LocalJWKSet> | undefined;
  let nextReload = 0;

  const now = () => clock().getTime();

  /** Concurrent loads share a request. A failed one keeps the keys that are known. */
  function load(): Promise<LocalJWKSet> {
    loading ??= loadKeys(fetch, jwksUri)
      .then((keys) => {
        known = { keys, until: now() + KEYS_MS };
        return keys;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  }

  function find(): Promise<LocalJWKSet> | LocalJWKSet {
    return known !== undefined && now() < known.until ? known.keys : load();
  }

  /** Returns the same keys if they must not be loaded again yet. */
  function findNewer(keys: LocalJWKSet): Promise<LocalJWKSet> | LocalJWKSet {
    if (known?.keys !== keys) return find();
    if (loading === undefined) {
      if (now() < nextReload || !mayReload()) return keys;
      nextReload = now() + RELOAD_MS;
    }
    return load();
  }

  return {
    async verify(jwt) {
      const { errors, jwtVerify } = await import("jose");
      const findKey: JWTVerifyGetKey = async (...token) => {
        const keys = await find();
        try {
          return await keys(...token);
        } catch (error) {
          if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
          return await (await findNewer(keys))(...token);
        }
      };
      const options = { algorithms: [...PUBLIC_KEY_ALGORITHMS], clockTolerance: TOLERANCE_SECONDS };
      const { payload } = await jwtVerify(jwt, findKey, options);
      return payload;
    },
  };
}

/** @throws ProviderError if the keys cannot be loaded, or there are none. */
export async function loadKeys(fetch: OutboundFetch, jwksUri: string): Promise<LocalJWKSet> {
  const { createLocalJWKSet } = await import("jose");
  let response: Response;
  try {
    response = await fetch(jwksUri, { headers: { accept: "application/json, application/jwk-set+json" } });
  } catch (cause) {
    throw new ProviderError(`jwks_uri: ${jwksUri} cannot be loaded`, { cause });
  }
  if (response.status !== 200) throw new ProviderStatusError(`jwks_uri: ${jwksUri}`, response.status);
  try {
    // Checks the value itself.
    return createLocalJWKSet((await response.json()) as JSONWebKeySet);
  } catch (cause) {
    throw new ProviderError(`jwks_uri: ${jwksUri} is not a JSON Web Key Set`, { cause });
  }
}

/** Limits how often the providers of an owner can cause a load of keys by tokens with unknown keys. */
interface KeyReloads {
  /** Returns false if the owner, an organization or the instance, has none left. */
  spend(ownerId: string): boolean;
}

/** Twice what a single provider can cause in a minute. */
const RELOADS: Rate = { burst: 24, perSecond: 24 / 60 };
/** About 100 KB. When full, the owner that has not caused any for the longest time is dropped. */
const MAX_OWNERS = 1_000;

export function createKeyReloads(clock: Clock): KeyReloads {
  const buckets = new LRUCache<string, TokenBucket>({ max: MAX_OWNERS });

  return {
    spend(ownerId) {
      const now = clock().getTime();
      const bucket = buckets.get(ownerId) ?? createBucket(RELOADS, now);
      buckets.set(ownerId, bucket);
      return spend(bucket, RELOADS, now);
    },
  };
}
