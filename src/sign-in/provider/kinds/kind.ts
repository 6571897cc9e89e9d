import type { ClientAuth } from "openid-client";
import type { Clock } from "../../../clock.ts";
import type { IdpSettings } from "../../../idps/kinds.ts";
import type { VerifiedAssertion } from "../../../idps/saml/read-response.ts";
import type { ProviderHosts } from "./provider-hosts.ts";

/** The claims of an ID token, of userinfo or of a user endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** The part of a provider's configuration that kinds use. */
export interface KindIdp {
  readonly clientId: string;
  /** Empty for kinds without one. */
  readonly issuer: string;
  readonly settings: IdpSettings;
}

/** The ids by which a provider names one user. */
export interface ExternalIds {
  /** By which the user is linked. */
  readonly id: string;
  /** By which links are found too. No other user of the provider has one of them. */
  readonly otherIds: readonly string[];
}

interface CommonKind {
  /** The scopes that are requested if none are configured. */
  readonly scopes: readonly string[];
  /** Whether the request has a code challenge (RFC 7636). */
  readonly usesPkce: (idp: KindIdp) => boolean;
}

/** A kind of OpenID Connect providers. */
export interface OpenIdKind extends CommonKind {
  readonly protocol: "openid";
  /** where the metadata is. */
  readonly issuerOf: (idp: KindIdp, hosts: ProviderHosts) => string;
  /** The form of the issuer in the metadata, if it is not the one above; `{tenantid}` in it is the claim `tid`. */
  readonly issuerPattern?: (hosts: ProviderHosts) => RegExp;
  /** More parameters of the request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Authenticates Signet at the token endpoint, if that is not with a client secret. */
  readonly authenticate?: (idp: KindIdp, secret: string, parts: { hosts: ProviderHosts; clock: Clock }) => ClientAuth;
  readonly readsUserInfo: (idp: KindIdp) => boolean;
  /** @throws ProviderError for claims of a user who may not sign in. */
  readonly checkClaims?: (claims: Claims, idp: KindIdp) => void;
  /** The ids of a user in the claims of the ID token, if there are others than `sub`. */
  readonly idsOf?: (claims: Claims, idp: KindIdp) => ExternalIds;
  /**
   * Converts what the provider sends to standard claims.
   *
   * @param claims Of the ID token and, where it lacks them, of userinfo.
   * @param name The name in the response in the browser, which nobody has signed.
   */
  readonly toClaims?: (claims: Claims, idp: KindIdp, name: Claims) => Claims;
}

export interface OAuthEndpoints {
  readonly authorization: string;
  readonly token: string;
  readonly user: string;
}

/** A kind of OAuth 2.0 providers: without an ID token, the user endpoint says who the user is. */
export interface OAuthKind extends CommonKind {
  readonly protocol: "oauth";
  readonly endpointsOf: (idp: KindIdp, hosts: ProviderHosts) => OAuthEndpoints;
  /** The path of the user's id in the response of the user endpoint: see `findUser`. */
  readonly idAttribute: (idp: KindIdp) => string;
  /**
   * Converts what the user endpoint says about the user to standard claims.
   *
   * @param user The object with the user's id.
   * @param load Loads JSON from a path below the user endpoint; undefined if the provider refuses.
   */
  readonly toClaims: (user: Claims, load: (path: string) => Promise<unknown>) => Promise<Claims>;
}

/** The kind of SAML providers. */
export interface SamlKind {
  readonly protocol: "saml";
  /** Converts what the provider has signed to standard claims. */
  readonly toClaims: (assertion: VerifiedAssertion, idp: KindIdp) => Claims;
}

export type SignInKind = OpenIdKind | OAuthKind | SamlKind;
