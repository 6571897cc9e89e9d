import { X509Certificate } from "node:crypto";
import type { Config } from "../config.ts";
import { findEndSessionEndpoint, ProviderError, type ProviderMetadata } from "../idps/discover-provider.ts";
import type { IdpKind } from "../idps/kinds.ts";
import type { OutboundFetch } from "../outbound/outbound-fetch.ts";
import { createConfigurations, createIdpFetch, discoverKind } from "./idp-clients.ts";
import type { KindIdp } from "./kinds/kind.ts";
import { SIGN_IN_KINDS } from "./kinds/kinds.ts";
import { PROVIDER_HOSTS } from "./kinds/provider-hosts.ts";
import { loadKeys } from "./provider-keys.ts";

/** The part of a provider's configuration that can be checked without a user. */
interface IdpToCheck extends KindIdp {
  readonly kind: IdpKind;
  readonly scopes: readonly string[];
  readonly isOfInstance: boolean;
  readonly federatedLogoutEnabled: boolean;
}

/** The findings about a configuration, one line each. */
export interface IdpCheck {
  /** Users cannot sign in. */
  readonly problems: readonly string[];
  /** May be intended, or may prevent something. */
  readonly warnings: readonly string[];
  /** What the provider publishes that a sign-in uses. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Whether all was compared. Otherwise, warnings say what was not. */
  readonly isComplete: boolean;
}

/**
 * Loads a provider's metadata and keys like a sign-in, and compares them with the configuration. Whether the provider
 * accepts client id, client secret and callback URL is not known until a user signs in; of a provider without OpenID
 * Connect, neither is anything else.
 */
export async function checkIdp(config: Pick<Config, "idpAllowPrivateNetworks">, idp: IdpToCheck): Promise<IdpCheck> {
  const kind = SIGN_IN_KINDS[idp.kind];
  if (kind.protocol === "saml") return checkSaml(idp);
  if (kind.protocol === "oauth") return { problems: [], warnings: [UNCHECKED], metadata: {}, isComplete: false };
  const fetch = createIdpFetch(config, idp);
  try {
    const metadata = await discoverKind(kind, idp, { fetch, hosts: PROVIDER_HOSTS });
    await createConfigurations(idp, "unused", metadata, fetch, kind.authenticate && (() => {}));
    const problems = await findKeyProblems(fetch, metadata);
    return {
      problems,
      warnings: [...findWarnings(idp, metadata), ...findLogoutWarnings(idp, metadata)],
      metadata: toShown(metadata),
      isComplete: true,
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const { message, cause } = error;
    return {
      problems: [cause instanceof Error ? `${message}: ${cause.message}` : message],
      warnings: [],
      metadata: {},
      isComplete: false,
    };
  }
}

const SHOWN = ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"] as const;

function toShown(metadata: ProviderMetadata): Record<string, string> {
  return Object.fromEntries(SHOWN.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])));
}

/** The metadata of a SAML provider are stored, and nothing else can be loaded. */
function checkSaml({ issuer, settings: { redirectUrl = "", postUrl = "", certificates = [] } }: IdpToCheck): IdpCheck {
  const expired = certificates
    .map((certificate) => new X509Certificate(Buffer.from(certificate, "base64")))
    .filter(({ validToDate }) => validToDate < new Date());
  return {
    problems: [],
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
    isComplete: false,
  };
}

const SAML_UNCHECKED = "the stored metadata were shown, and nothing was loaded; sign in once";

/** OAuth 2.0 has no metadata. */
const UNCHECKED = "the provider publishes no metadata, so its endpoints and scopes were not checked; sign in once";

async function findKeyProblems(fetch: OutboundFetch, { jwks_uri }: ProviderMetadata): Promise<string[]> {
  const keys = await loadKeys(fetch, jwks_uri);
  return keys.jwks().keys.length > 0 ? [] : [`jwks_uri: ${jwks_uri} has no keys`];
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

function findLogoutWarnings({ federatedLogoutEnabled, issuer }: IdpToCheck, metadata: ProviderMetadata): string[] {
  if (!federatedLogoutEnabled) return [];
  try {
    if (findEndSessionEndpoint(metadata, issuer) !== undefined) return [];
    return ["end_session_endpoint: is missing; sign-outs do not continue at the provider"];
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return [`${error.message}; sign-outs do not continue at the provider`];
  }
}
