import { type Configuration, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { API_SCOPE } from "../access/find-principal.ts";
import type { Brandings } from "../branding/create-brandings.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../database/database.ts";
import { CLIENT_ALGORITHMS } from "../fields/key-set.ts";
import { SIGN_IN_PREFIX } from "../web/sign-in/steps.ts";
import { formatAccessTokens } from "./access-token-format.ts";
import { CLAIMS, findAccountRow, SCOPES, toAccount } from "./accounts.ts";
import { ACR_VALUES } from "./acr.ts";
import { createAdapter } from "./adapter.ts";
import { announceProofs } from "./announce-proofs.ts";
import { checkTokenScope } from "./api-access.ts";
import { checkAssertionLifetime } from "./assertion-lifetime.ts";
import { sendLogoutTokens } from "./back-channel-logout.ts";
import { createClientKeys } from "./client-keys.ts";
import { APP_METADATA } from "./client-metadata.ts";
import { createClientAdapter, isOriginOf } from "./clients.ts";
import type { CookieSigner } from "./cookie-signer.ts";
import { cookiesOf } from "./cookies.ts";
import { AUTH_METHOD_NAMES, DISCOVERY } from "./discovery.ts";
import { recordSignOuts } from "./end-session.ts";
import { federateLogout } from "./federated-logout.ts";
import { createLoadGrant } from "./grants.ts";
import { fillIdTokens } from "./id-token-claims.ts";
import { acceptEarlierHints } from "./id-token-hints.ts";
import { introspectRoles } from "./introspected-roles.ts";
import { introspectJwts, mayIntrospect, mayRevoke } from "./introspection.ts";
import { keepRequestId } from "./keep-request-id.ts";
import { GRANT_SECONDS, SECONDS } from "./lifetimes.ts";
import { createDevicePages, keepUserCode } from "./pages/device-pages.ts";
import { renderError } from "./pages/error-page.ts";
import { protectFormPost } from "./pages/form-post.ts";
import { createLogoutPages, skipAnonymousLogout } from "./pages/logout-pages.ts";
import { layOutPages } from "./pages/send-page.ts";
import { checkClaims, checkRequest, createPolicy } from "./policy.ts";
import { slowDownPolls } from "./polls.ts";
import { presentSubjects } from "./present-subjects.ts";
import { KEYS_UNAVAILABLE } from "./provider-events.ts";
import { chainRefreshTokens, createNextToken } from "./refresh-tokens.ts";
import { checkRequestObject } from "./request-objects.ts";
import { IDP_HINT_PARAMETER, OPEN_ORG_PARAMETER, ORG_PARAMETER } from "./requested-org.ts";
import { checkRefreshedResource, createResourceIndicators } from "./resources.ts";
import { ROUTES } from "./routes.ts";
import { refuseTokenExchange, toServiceClaims } from "./service-tokens.ts";
import { keepSessionDetails, sessionSeconds } from "./session-details.ts";
import { addSessionState } from "./session-state.ts";
import { SIGNING_ALGORITHMS, type SigningKey } from "./signing-keys.ts";
import { orUnavailable } from "./unavailable.ts";

export interface ProviderOptions {
  readonly db: Database;
  readonly brandings: Brandings;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** PUBLIC_URL. */
  readonly issuer: string;
  readonly signer: CookieSigner;
  readonly signingKeys: readonly SigningKey[];
  /** IDP_ALLOW_PRIVATE_NETWORKS. */
  readonly allowsPrivate: boolean;
}

/** The OpenID provider: oidc-provider, configured for the applications and users of the database. */
export function createProvider(options: ProviderOptions): Provider {
  const { db, keyring, clock, issuer, signer, signingKeys, allowsPrivate } = options;
  const findKeys = createClientKeys({
    ...{ clock, allowsPrivate },
    onUnavailable: (clientId, error) => provider.emit(KEYS_UNAVAILABLE, clientId, error),
  });
  const nextToken = createNextToken(keyring);
  const provider = new Provider(issuer, {
    adapter: (kind) =>
      kind === "Client" ? createClientAdapter({ db, issuer, findKeys }) : createAdapter({ db, clock, nextToken }, kind),
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
    assertJwtClientAuthClaimsAndHeader: checkAssertionLifetime({ clock }),
    // Many clients set the assertion's `nbf` to the current second of their own clock.
    clockTolerance: 15,
    discovery: DISCOVERY,
    extraClientMetadata: { properties: [...APP_METADATA] },
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: (_ctx, client) => client.signet_requires_pkce === true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      clientCredentials: { enabled: true },
      claimsParameter: { enabled: true, assertClaimsParameter: async (_ctx, claims) => checkClaims(claims) },
      deviceFlow: { enabled: true, deviceInfo: () => ({}), ...createDevicePages({ keyring, clock }) },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => mayIntrospect({ provider, db }, client, token),
      },
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
      const row = await orUnavailable(() => findAccountRow(db, userId, ctx.oidc.client?.clientId));
      return row && toAccount(row);
    },
    extraTokenClaims: toServiceClaims,
    loadExistingGrant: createLoadGrant(clock),
    rotateRefreshToken: true,
    // Nothing can be stored for a revoked grant any more.
    revokeGrantPolicy: () => true,
    // A token for the RPCs ends when its user signs out, even if the application has offline access.
    expiresWithSession: (_ctx, { scopes }) => !scopes.has("offline_access") || scopes.has(API_SCOPE),
    clientBasedCORS: (_ctx, origin, client) => isOriginOf(client, origin),
    renderError,
    // The provider itself sends no requests; see `createClientKeys` and `sendLogoutTokens`.
    fetch: async (url) => {
      throw new Error(`the provider does not fetch ${url}`);
    },
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
  chainRefreshTokens(provider, nextToken);
  extendProvider(provider, options);
  return provider;
}

/** Adds what the provider's configuration has no option for. */
function extendProvider(
  provider: Provider,
  { db, brandings, keyring, clock, signingKeys, allowsPrivate }: ProviderOptions,
): void {
  // The handler determines the origin of a request before the provider sees it.
  provider.proxy = true;
  // The handler logs errors.
  provider.silent = true;
  provider.use(keepRequestId);
  provider.use(layOutPages(brandings));
  provider.use(slowDownPolls(clock));
  provider.use(refuseTokenExchange);
  provider.use(addSessionState);
  provider.use(protectFormPost);
  provider.use(keepUserCode);
  provider.use(announceForms);
  provider.use(skipAnonymousLogout);
  provider.use(federateLogout({ db, keyring, clock }));
  provider.use(introspectRoles(db));
  announceProofs(provider);
  introspectJwts({ provider, db });
  fillIdTokens(provider);
  acceptEarlierHints(provider);
  presentSubjects(provider, { db });
  sendLogoutTokens(provider, { db, allowsPrivate });
  keepSessionDetails(provider);
  recordSignOuts(provider, { db, clock });
  formatAccessTokens(provider, signingKeys);
}

/** A form without a session starts one that contains only the form's token. */
async function announceForms(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const session = ctx.oidc?.session as { accountId?: string; new?: boolean; state?: object } | undefined;
  if (session?.new === true && session.accountId === undefined && session.state !== undefined) {
    ctx.oidc.provider.emit("form.started", ctx);
  }
}

/** The page for an expired sign-in needs the application, and has no other source for it. */
function toSignInPath(_ctx: KoaContextWithOIDC, { uid, params }: InstanceType<Provider["Interaction"]>): string {
  return `${SIGN_IN_PREFIX}${uid}?${new URLSearchParams({ app: String(params.client_id) })}`;
}
