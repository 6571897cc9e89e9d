import { decodeProtectedHeader } from "jose/decode/protected_header";
import { decodeJwt } from "jose/jwt/decode";
import { LRUCache } from "lru-cache";
import { Provider } from "oidc-provider";
import type { OidcApp } from "../apps/find-app.ts";
import type { Clock } from "../clock.ts";
import { type PublicJwk, readPublishedKeys } from "../fields/key-set.ts";
import { createOutboundFetch, type OutboundFetch } from "../outbound/outbound-fetch.ts";

interface ClientKeysParts {
  readonly clock: Clock;
  /** IDP_ALLOW_PRIVATE_NETWORKS. */
  readonly allowsPrivate: boolean;
  readonly onUnavailable: (clientId: string, error: unknown) => void;
}

/** The keys at the URL of an application, as last fetched. */
interface Published {
  keys: readonly PublicJwk[];
  fetchedAt: number;
  /** The last attempt, which may have failed. */
  triedAt: number;
  fetching: Promise<unknown> | undefined;
}

/** A key that the application has removed from its URL is accepted for at most this time. */
const MAX_AGE_MS = 60_000;
/** An unknown key, which the application may have added since, or a failure leads to another request after this time. */
const RETRY_MS = 5_000;
const TIMEOUT_MS = 2_500;
const MAX_BODY_BYTES = 64 * 1_024;
/** When full, the keys of the application that has not used them for the longest time are dropped. */
const MAX_APPS = 1_000;

/**
 * Creates a function that finds the keys of an application with the method `private_key_jwt`. It fetches published keys
 * only while the application authenticates itself: anybody can send other requests with its client id.
 *
 * oidc-provider would fetch them too, but accept a removed key as long as its signatures fit, and repeat failed
 * requests without a pause.
 */
export function createClientKeys({ clock, allowsPrivate, onUnavailable }: ClientKeysParts) {
  const limits = { timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BODY_BYTES };
  const fetchOfInstance = createOutboundFetch({ ...limits, allowsPrivate: true });
  const fetchOfOrg = createOutboundFetch({ ...limits, allowsPrivate });
  const publishedByApp = new LRUCache<string, Published>({ max: MAX_APPS });

  function publishedOf({ id }: OidcApp, url: string): Published {
    const key = `${id} ${url}`;
    const never = Number.NEGATIVE_INFINITY;
    const published = publishedByApp.get(key) ?? { keys: [], fetchedAt: never, triedAt: never, fetching: undefined };
    publishedByApp.set(key, published);
    return published;
  }

  return async (app: OidcApp): Promise<readonly PublicJwk[]> => {
    if (app.jwks !== null) return (JSON.parse(app.jwks) as { keys: PublicJwk[] }).keys;
    const assertion = app.jwksUri === null ? undefined : readAssertion(app.id);
    if (app.jwksUri === null || assertion === undefined) return [];
    const url = app.jwksUri;
    const published = publishedOf(app, url);
    const now = clock().getTime();
    const isFresh = now - published.fetchedAt < MAX_AGE_MS;
    const isKnown = assertion.kid === undefined || published.keys.some(({ kid }) => kid === assertion.kid);
    if (!(isFresh && isKnown) && now - published.triedAt >= RETRY_MS) {
      const keys = fetchKeys(app.orgId === null ? fetchOfInstance : fetchOfOrg, url);
      update(published, keys, now, (error) => onUnavailable(app.id, error));
    }
    await published.fetching;
    return now - published.fetchedAt < MAX_AGE_MS ? published.keys : [];
  };
}

/** Stores the keys once they have been fetched. After a failure, the previous ones stay. */
function update(
  published: Published,
  fetched: Promise<readonly PublicJwk[]>,
  now: number,
  onFailure: (error: unknown) => void,
): void {
  const store = (keys: readonly PublicJwk[]) => Object.assign(published, { keys, fetchedAt: now });
  published.triedAt = now;
  published.fetching = fetched.then(store, onFailure).finally(() => {
    published.fetching = undefined;
  });
}

async function fetchKeys(fetch: OutboundFetch, url: string): Promise<PublicJwk[]> {
  const response = await fetch(url, { headers: { accept: "application/jwk-set+json, application/json" } });
  if (response.status !== 200) throw new Error(`the response has the status ${response.status}`);
  return readPublishedKeys(await response.text());
}

/**
 * Reads the assertion (RFC 7523) with which the current request authenticates an application. It is not verified yet.
 *
 * @returns Undefined if the request has none of this application.
 */
function readAssertion(clientId: string): { readonly kid: string | undefined } | undefined {
  const assertion = Provider.ctx?.oidc.params?.client_assertion;
  if (typeof assertion !== "string") return undefined;
  try {
    return decodeJwt(assertion).sub === clientId ? { kid: decodeProtectedHeader(assertion).kid } : undefined;
  } catch {
    return undefined;
  }
}
