import { X509Certificate } from "node:crypto";
import type { Config } from "../../config.ts";
import { findEndSessionEndpoint, ProviderError, type ProviderMetadata } from "../../idps/discover-provider.ts";
import { isDraft } from "../../idps/draft.ts";
import type { IdpRow } from "../../idps/list-idps.ts";
import { OutboundError, type OutboundFetch } from "../../outbound/outbound-fetch.ts";
import { createConfigurations, createIdpFetch, discoverKind } from "./idp-clients.ts";
import type { KindIdp, OpenIdKind } from "./kinds/kind.ts";
import { SIGN_IN_KINDS } from "./kinds/kinds.ts";
import { PROVIDER_HOSTS, type ProviderHosts } from "./kinds/provider-hosts.ts";
import { loadKeys } from "./provider-keys.ts";

/** The part of a provider's configuration that is compared. */
interface IdpToCheck extends KindIdp, Pick<IdpRow, "scopes" | "federated_logout_enabled"> {
  readonly isOfInstance: boolean;
}

/** The findings about a configuration, one line each. */
export interface IdpCheck {
  /** Users cannot sign in. */
  readonly problems: readonly string[];
  /** May be intended, or may prevent something. */
  readonly warnings: readonly string[];
  /** What the provider publishes that a sign-in uses. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The scopes that the provider lists, at most `MAX_SCOPES`. */
  readonly supportedScopes: readonly string[];
  /** Whether all was compared. Otherwise, warnings say what was not. */
  readonly isComplete: boolean;
}

export interface CheckIdpParts {
  readonly config: Pick<Config, "idpAllowPrivateNetworks">;
  readonly providerHosts?: ProviderHosts | undefined;
}

interface CheckOptions {
  /** Whether the instance owns the provider, rather than an organization. */
  readonly isOfInstance: boolean;
  /** Ends the requests. */
  readonly signal?: AbortSignal;
}

/**
 * Loads a provider's metadata and keys like a sign-in, and compares them with the configuration. Whether the provider
 * accepts client id, client secret and callback URL is not known until a user signs in; of a provider without OpenID
 * Connect, neither is anything else.
 *
 * It sends at most two requests, each of at most 5 seconds and 64 KiB. The findings have nothing of a response that is
 * not JSON: it may be of a host that only this machine reaches.
 */
export async function checkIdp(parts: CheckIdpParts, row: IdpRow, options: CheckOptions): Promise<IdpCheck> {
  const { client_id: clientId, issuer, config: settings, scopes, federated_logout_enabled } = row;
  if (isDraft(row)) return { ...NOTHING_LOADED, problems: [WITHOUT_SETTINGS], warnings: [] };
  const { isOfInstance } = options;
  const idp = { clientId, issuer, settings, scopes, federated_logout_enabled, isOfInstance };
  const kind = SIGN_IN_KINDS[row.kind];
  const found = kind.protocol === "openid" ? await checkOpenId(parts, kind, idp, options) : NOTHING_LOADED;
  const checked = kind.protocol === "saml" ? { ...found, ...checkSaml(idp) } : found;
  return row.state === "active" ? checked : { ...checked, problems: [DEACTIVATED, ...checked.problems] };
}

const WITHOUT_SETTINGS = "the provider has no settings yet";
const DEACTIVATED = "the provider is deactivated";

/** OAuth 2.0 has no metadata. */
const NOTHING_LOADED: IdpCheck = {
  problems: [],
  warnings: ["the provider publishes no metadata, so its endpoints and scopes were not checked; sign in once"],
  metadata: {},
  supportedScopes: [],
  isComplete: false,
};

async function checkOpenId(
  { config, providerHosts: hosts = PROVIDER_HOSTS }: CheckIdpParts,
  kind: OpenIdKind,
  idp: IdpToCheck,
  { signal }: CheckOptions,
): Promise<IdpCheck> {
  const send = createIdpFetch(config, idp);
  const fetch: OutboundFetch = (url, init) => send(url, { ...init, signal });
  try {
    const metadata = await discoverKind(kind, idp, { fetch, hosts });
    await createConfigurations(idp, "unused", metadata, fetch, kind.authenticate && (() => {}));
    const problems = await findKeyProblems(fetch, metadata);
    return {
      problems,
      warnings: [...findWarnings(idp, metadata), ...findLogoutWarnings(idp, metadata)],
      metadata: toShown(metadata),
      supportedScopes: (metadata.scopes_supported ?? []).slice(0, MAX_SCOPES),
      isComplete: true,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { message, cause } = error;
    const problem = cause instanceof OutboundError ? `${message}: ${cause.message}` : message;
    return { problems: [problem], warnings: [], metadata: {}, supportedScopes: [], isComplete: false };
  }
}

/** More than any provider lists that we know. */
const MAX_SCOPES = 100;

const SHOWN = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] as const;

function toShown(metadata: ProviderMetadata): Record<string, string> {
  return Object.fromEntries(SHOWN.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])));
}

/** The metadata of a SAML provider are stored, and nothing else can be loaded. */
function checkSaml({ issuer, settings: { redirectUrl = "", postUrl = "", certificates = [] } }: IdpToCheck) {
  const expired = certificates
    .map((certificate) => new X509Certificate(Buffer.from(certificate, "base64")))
    .filter(({ validToDate }) => validToDate < new Date());
  return {
    warnings: [
      ...(expired.length > 0 ? ["certificates: one has expired, so the metadata may be old; load them again"] : []),
      SAML_UNCHECKED,
    ],
    metadata: {
      entityID: issuer,
      ...(redirectUrl !== "" && { "HTTP-Redirect": redirectUrl }),
      ...(postUrl !== "" && { "HTTP-POST": postUrl }),
      certificates: String(certificates.length),
    },
  };
}

const SAML_UNCHECKED = "the stored metadata were shown, and nothing was loaded; sign in once";

async function findKeyProblems(fetch: OutboundFetch, { jwks_uri }: ProviderMetadata): Promise<string[]> {
  const keys = await loadKeys(fetch, jwks_uri);
  return keys.jwks().keys.length > 0 ? [] : [`jwks_uri: ${jwks_uri} has no keys`];
}

function findWarnings({ scopes, issuer }: IdpToCheck, metadata: ProviderMetadata): string[] {
  const { scopes_supported, userinfo_endpoint, code_challenge_methods_supported: methods } = metadata;
  const supported = scopes_supported && new Set(scopes_supported);
  const unsupported = supported ? scopes.filter((scope) => !supported.has(scope)) : [];
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

function findLogoutWarnings({ federated_logout_enabled, issuer }: IdpToCheck, metadata: ProviderMetadata): string[] {
  if (!federated_logout_enabled) return [];
  try {
    if (findEndSessionEndpoint(metadata, issuer) !== undefined) return [];
    return ["end_session_endpoint: is missing; sign-outs do not continue at the provider"];
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return [`${error.message}; sign-outs do not continue at the provider`];
  }
}
