import { LRUCache } from "lru-cache";
import type { OidcApp } from "../apps/find-app.ts";
import { EMPTY_APP_CONFIG } from "../database/app-config.ts";
import { describeRedirectUriProblem } from "../fields/client-uri.ts";
import { createOutboundFetch } from "../outbound/outbound-fetch.ts";
import { createBucket, spend } from "../token-bucket.ts";
import { toClientMetadata } from "./client-metadata.ts";

/** The longest document that oidc-provider accepts. */
const MAX_BODY_BYTES = 5 * 1_024;
const TIMEOUT_MS = 2_500;
/** Strangers can name any document of the hosts. */
const FETCHES = { burst: 50, perSecond: 5 };
/** Documents that are fetched again although strangers have used up `FETCHES`. */
const MOST_KNOWN = 100;
/** How long a document is used before it is fetched again. */
export const DOCUMENT_SECONDS = 300;
/** As many as a registered application may have. */
const MAX_REDIRECT_URIS = 50;

/**
 * Whether a client id is the URL of a document with the client's metadata (OAuth Client ID Metadata Document, draft 02),
 * instead of the id of a registered application.
 */
export function isDocumentId(clientId: string): boolean {
  return clientId.startsWith("https://");
}

/** Whether a client id is the URL of a document on one of the hosts, which may have a port. */
export function isAllowedDocument(clientId: string, hosts: readonly string[]): boolean {
  return isDocumentId(clientId) && hosts.includes(URL.parse(clientId)?.host ?? "");
}

/**
 * Creates the `fetch` of oidc-provider, which it uses for documents only. Of a document, only the redirect URIs count: its
 * other fields could make the client an application of an organization, or let Signet send requests to other hosts.
 *
 * The operator chooses the hosts, so they may have any address.
 *
 * @param now Milliseconds; a test passes its own.
 */
export function createDocumentFetch(
  onUnavailable: (clientId: string, error: unknown) => void,
  now: () => number = () => performance.now(),
) {
  const bucket = createBucket(FETCHES, now());
  /** The documents that could be used the last time. */
  const known = new LRUCache<string, true>({ max: MOST_KNOWN });
  const fetch = createOutboundFetch({ allowsPrivate: true, timeoutMs: TIMEOUT_MS, maxBodyBytes: MAX_BODY_BYTES });

  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    if (!known.get(url) && !spend(bucket, FETCHES, now())) {
      throw new Error("too many documents are requested");
    }
    try {
      const response = await fetch(url, { headers: init?.headers, signal: init?.signal });
      if (response.status !== 200) throw new Error(`the response has the status ${response.status}`);
      const metadata = toClientMetadata(readDocument(url, await response.json()), undefined);
      known.set(url, true);
      return Response.json(metadata, { headers: { "cache-control": `max-age=${DOCUMENT_SECONDS}` } });
    } catch (error) {
      known.delete(url);
      onUnavailable(url, error);
      throw error;
    }
  };
}

/**
 * Reads a document, as an application of the instance that has no secret.
 *
 * @throws Error if it cannot be used.
 */
function readDocument(id: string, document: unknown): OidcApp {
  const { client_id, redirect_uris, token_endpoint_auth_method = "none" } = Object(document) as Record<string, unknown>;
  if (client_id !== id) throw new Error("client_id is not the URL of the document");
  if (token_endpoint_auth_method !== "none") throw new Error("token_endpoint_auth_method must be none");
  const redirectUris = Array.isArray(redirect_uris) ? redirect_uris.map(String) : [];
  if (redirectUris.length === 0 || redirectUris.length > MAX_REDIRECT_URIS) {
    throw new Error(`redirect_uris must have 1 to ${MAX_REDIRECT_URIS} URIs`);
  }
  for (const uri of redirectUris) {
    const problem = describeRedirectUriProblem(uri, { native: true, devMode: false });
    if (problem !== undefined) throw new Error(`redirect_uris: ${uri} ${problem}`);
  }
  return {
    ...EMPTY_APP_CONFIG,
    ...{ id, orgId: null, name: documentHost(id), secretHash: null, serviceRoles: null },
    ...{ type: "native", authMethod: "none", grantTypes: ["authorization_code", "refresh_token"], redirectUris },
    // An API finds out what a token is for without a registered application that introspects it.
    accessTokenType: "jwt",
    requiresPkce: true,
  };
}

/** What pages show as the name of the client: anybody can write any other name into the document. */
export function documentHost(clientId: string): string {
  return URL.parse(clientId)?.host ?? "";
}
