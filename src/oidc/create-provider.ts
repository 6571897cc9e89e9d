import { type Configuration, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { API_SCOPE } from "../access/find-principal.ts";
import type { Clock } from "../clock.ts";
import { CLIENT_ALGORITHMS } from "../fields/key-set.ts";
import { LANGUAGES } from "../texts/languages.ts";
import { SIGN_IN_PREFIX } from "../web/sign-in/steps.ts";
import { CLAIMS, findAccountRow, SCOPES, toAccount } from "./accounts.ts";
import { ACR_VALUES } from "./acr.ts";
import { createAdapter } from "./adapter.ts";
import { checkTokenScope } from "./api-access.ts";
import { createDocumentFetch, DOCUMENT_SECONDS, isAllowedDocument } from "./client-documents.ts";
import { createClientKeys } from "./client-keys.ts";
import { APP_METADATA, AUTH_METHODS } from "./client-metadata.ts";
import { createClientAdapter, isOriginOf } from "./clients.ts";
import { type CookieSigner, cookiesOf } from "./cookies.ts";
import { checkFapiAssertion, isFapi } from "./fapi.ts";
import { createLoadGrant } from "./grants.ts";
import { GRANT_SECONDS, SECONDS } from "./lifetimes.ts";
import { createDevicePages } from "./pages/device-pages.ts";
import { renderError } from "./pages/error-page.ts";
import { createLogoutPages } from "./pages/logout-pages.ts";
import { type PatchOptions, patchProvider } from "./patches.ts";
import { checkClaims, checkRequest, createPolicy } from "./policy.ts";
import { DOCUMENT_UNAVAILABLE, KEYS_UNAVAILABLE } from "./provider-events.ts";
import { createNextToken } from "./refresh-tokens.ts";
import { checkRequestObject } from "./request-objects.ts";
import { IDP_HINT_PARAMETER, OPEN_ORG_PARAMETER, ORG_PARAMETER } from "./requested-org.ts";
import { checkRefreshedResource, createResourceIndicators } from "./resources.ts";
import { markRefusedJwts, mayRevoke } from "./revocation.ts";
import { ROUTES } from "./routes.ts";
import { toServiceClaims } from "./service-tokens.ts";
import { keepSessionDetails, sessionSeconds } from "./session-details.ts";
import { SIGNING_ALGORITHMS } from "./signing-keys.ts";
import { orUnavailable } from "./unavailable.ts";

export interface ProviderOptions extends Omit<PatchOptions, "nextToken"> {
  readonly signer: CookieSigner;
}

/** The OpenID provider: oidc-provider, configured for the applications and users of the database. */
export function createProvider(options: ProviderOptions): Provider {
  const { db, runTogether, keyring, clock, issuer, signer, signingKeys, allowsPrivate, clientHosts } = options;
  const findKeys = createClientKeys({
    ...{ clock, allowsPrivate },
    onUnavailable: (clientId, error) => provider.emit(KEYS_UNAVAILABLE, clientId, error),
  });
  const nextToken = createNextToken(keyring);
  const provider = new Provider(issuer, {
    adapter: (kind) =>
      kind === "Client"
        ? createClientAdapter({ runTogether, issuer, findKeys })
        : createAdapter({ db, runTogether, clock, nextToken }, kind),
    jwks: { keys: [...signingKeys] as NonNullable<Configuration["jwks"]>["keys"] },
    routes: { ...ROUTES },
    scopes: SCOPES,
    claims: CLAIMS,
    acrValues: [...ACR_VALUES],
    responseTypes: ["code"],
    subjectTypes: ["public"],
    clientAuthMethods: [...AUTH_METHOD_NAMES],
    enabledJWA: {
      idTokenSigningAlgValues: [...SIGNING_ALGORITHMS],
      clientAuthSigningAlgValues: [...CLIENT_ALGORITHMS],
      requestObjectSigningAlgValues: [...CLIENT_ALGORITHMS],
      // Not those of RSA: anyone can send a proof with a key whose size or exponent makes its verification slow.
      dPoPSigningAlgValues: ["ES256", "Ed25519", "EdDSA"],
    },
    assertJwtClientAuthClaimsAndHeader: checkAssertion(clock),
    // Many clients set the assertion's `nbf` to the current second of their own clock.
    clockTolerance: 15,
    discovery: DISCOVERY,
    extraClientMetadata: { properties: [...APP_METADATA] },
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: (_ctx, client) => client.signet_requires_pkce === true || isFapi(client) },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      clientIdMetadataDocument: {
        enabled: clientHosts.length > 0,
        ack: "draft-02",
        allowFetch: async (_ctx: unknown, clientId: string) => isAllowedDocument(clientId, clientHosts),
        cacheDuration: { min: DOCUMENT_SECONDS, max: DOCUMENT_SECONDS },
      },
      claimsParameter: { enabled: true, assertClaimsParameter: async (_ctx, claims) => checkClaims(claims) },
      deviceFlow: { enabled: true, deviceInfo: () => ({}), ...createDevicePages({ keyring, clock }) },
      // See `respondToIntrospection`.
      introspection: { enabled: true, allowedPolicy: () => false },
      pushedAuthorizationRequests: { enabled: true },
      requestObjects: { enabled: true, assertJwtClaimsAndHeader: checkRequestObject },
      resourceIndicators: createResourceIndicators(db),
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => mayRevoke(client, token) },
      rpInitiatedLogout: { enabled: true, ...createLogoutPages(db) },
      // Nonces are offered, but not demanded, which would cost each client a second request. All processes accept them.
      dPoP: { enabled: true, nonceSecret: keyring.derive("DPoP nonces")[0].export() },
    },
    interactions: { url: toSignInPath, policy: createPolicy(clock) },
    // oidc-provider has no other hook between its own checks and the lookup of the session's user.
    extraParams: {
      [ORG_PARAMETER]: (ctx) => orUnavailable(() => checkRequest(db, ctx)),
      // Set by the same check.
      [OPEN_ORG_PARAMETER]: null,
      [IDP_HINT_PARAMETER]: null,
    },
    findAccount: async (ctx, userId, token) => {
      checkTokenScope(ctx, token?.scopes);
      await checkRefreshedResource(db, ctx, token);
      const row = await orUnavailable(() => findAccountRow(runTogether, userId, ctx.oidc.client?.clientId));
      return row && toAccount(row);
    },
    extraTokenClaims: toServiceClaims,
    loadExistingGrant: createLoadGrant(clock),
    rotateRefreshToken: ({ oidc }) => !isFapi(oidc.client),
    // Nothing can be stored for a revoked grant any more.
    revokeGrantPolicy: () => true,
    // A token for the RPCs ends when its user signs out, even if the application has offline access.
    expiresWithSession: (_ctx, { scopes }) => !scopes.has("offline_access") || scopes.has(API_SCOPE),
    clientBasedCORS: (_ctx, origin, client) => isOriginOf(client, origin),
    renderError,
    // For nothing else; see `createClientKeys` and `sendLogoutTokens`.
    fetch: createDocumentFetch((clientId, error) => provider.emit(DOCUMENT_UNAVAILABLE, clientId, error)),
    ttl: {
      AccessToken: SECONDS.accessToken,
      AuthorizationCode: SECONDS.authorizationCode,
      ClientCredentials: SECONDS.accessToken,
      DeviceCode: SECONDS.deviceCode,
      Grant: GRANT_SECONDS.lifetime,
      IdToken: SECONDS.idToken,
      Interaction: SECONDS.interaction,
      RefreshToken: ({ oidc }) => oidc.entities.RotatedRefreshToken?.remainingTTL ?? SECONDS.refreshToken,
      Session: (_ctx, session) => sessionSeconds(session, clock()),
    },
    cookies: cookiesOf(issuer, signer),
  });
  // The handler determines the origin of a request before the provider sees it.
  provider.proxy = true;
  // The handler logs errors.
  provider.silent = true;
  keepSessionDetails(provider);
  markRefusedJwts(provider);
  patchProvider(provider, { ...options, nextToken });
  return provider;
}

/** The page for an expired sign-in needs the application, and has no other source for it. */
function toSignInPath(_ctx: KoaContextWithOIDC, { uid, params }: InstanceType<Provider["Interaction"]>): string {
  return `${SIGN_IN_PREFIX}${uid}?${new URLSearchParams({ app: String(params.client_id) })}`;
}

/** Used assertions are stored until they expire. The five minutes are for clocks that differ. */
const MAX_LIFETIME_SECONDS = 3_600 + 300;

/** Rejects an assertion (RFC 7523) that expires too late, before it is stored as used. */
function checkAssertion(clock: Clock): NonNullable<Configuration["assertJwtClientAuthClaimsAndHeader"]> {
  return async (ctx, claims, header) => {
    checkFapiAssertion(ctx, claims, header, clock());
    const { exp } = claims;
    if (Number(exp) - clock().getTime() / 1_000 <= MAX_LIFETIME_SECONDS) return;
    const error_description = "the client assertion must expire within one hour";
    throw Object.assign(new errors.InvalidClientAuth("exp is too late"), { error_description });
  };
}

export const AUTH_METHOD_NAMES = Object.values(AUTH_METHODS);

/** What oidc-provider's metadata leaves out (RFC 8414, section 2; OpenID Initiating User Registration 1.0, section 4). */
export const DISCOVERY = {
  ui_locales_supported: [...LANGUAGES],
  prompt_values_supported: ["none", "login", "consent", "select_account"],
  introspection_endpoint_auth_methods_supported: AUTH_METHOD_NAMES,
  introspection_endpoint_auth_signing_alg_values_supported: [...CLIENT_ALGORITHMS],
  revocation_endpoint_auth_methods_supported: AUTH_METHOD_NAMES,
  revocation_endpoint_auth_signing_alg_values_supported: [...CLIENT_ALGORITHMS],
};
