import type { Kysely } from "kysely";
import { type Configuration, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { API_SCOPE } from "../access/find-principal.ts";
import type { Clock } from "../clock.ts";
import type { Tables } from "../database/tables.ts";
import { LANGUAGES } from "../messages/languages.ts";
import { SIGN_IN_PREFIX } from "../web/sign-in/steps.ts";
import { formatAccessTokens } from "./access-token-format.ts";
import { CLAIMS, findAccountRow, toAccount } from "./accounts.ts";
import { createArtifacts, writeHeld } from "./artifacts.ts";
import { sendLogoutTokens } from "./back-channel-logout.ts";
import { APP_METADATA, compareSecret } from "./client-metadata.ts";
import { createClientAdapter, isOriginOf } from "./clients.ts";
import type { CookieSigner } from "./cookie-signer.ts";
import { cookiesOf } from "./cookies.ts";
import { recordSignOuts } from "./end-session.ts";
import { loadGrant } from "./grants.ts";
import { introspectJwts, mayIntrospect, mayRevoke } from "./introspection.ts";
import { GRANT_SECONDS, SECONDS, SESSION_SECONDS } from "./lifetimes.ts";
import { DEVICE_PAGES, keepUserCode } from "./pages/device-pages.ts";
import { renderError } from "./pages/error-page.ts";
import { LOGOUT_PAGES, skipAnonymousLogout } from "./pages/logout-pages.ts";
import { checkRequest, createPolicy } from "./policy.ts";
import { takeRead } from "./read-ahead.ts";
import { ORG_PARAMETER } from "./requested-org.ts";
import { ROUTES } from "./routes.ts";
import type { SigningKey } from "./signing-keys.ts";
import { adapterOrUnavailable, orUnavailable } from "./unavailable.ts";

export interface ProviderOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** PUBLIC_URL. */
  readonly issuer: string;
  readonly signer: CookieSigner;
  readonly signingKeys: readonly SigningKey[];
}

/** The OpenID provider: oidc-provider, configured for the applications and users of the database. */
export function createProvider({ db, clock, issuer, signer, signingKeys }: ProviderOptions): Provider {
  const provider = new Provider(issuer, {
    adapter: (kind) =>
      adapterOrUnavailable(kind === "Client" ? createClientAdapter(db, issuer) : createArtifacts({ db, clock }, kind)),
    jwks: { keys: [...signingKeys] as NonNullable<Configuration["jwks"]>["keys"] },
    routes: { ...ROUTES },
    scopes: ["openid", "profile", "email", "phone", "offline_access", API_SCOPE],
    claims: CLAIMS,
    responseTypes: ["code"],
    subjectTypes: ["public"],
    clientAuthMethods: ["client_secret_basic", "client_secret_post", "none"],
    enabledJWA: { idTokenSigningAlgValues: ["RS256", "ES256"] },
    discovery: { ui_locales_supported: [...LANGUAGES] },
    extraClientMetadata: { properties: [...APP_METADATA] },
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      claimsParameter: { enabled: true },
      deviceFlow: { enabled: true, deviceInfo: () => ({}), ...DEVICE_PAGES },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => mayIntrospect(provider, client, token) },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => mayRevoke(client, token) },
      rpInitiatedLogout: { enabled: true, ...LOGOUT_PAGES },
      dPoP: { enabled: false },
    },
    interactions: { url: toSignInPath, policy: createPolicy() },
    // oidc-provider has no other hook between its own checks and the lookup of the session's user.
    extraParams: { [ORG_PARAMETER]: (ctx) => orUnavailable(() => checkRequest(db, ctx)) },
    findAccount: async (_ctx, sub) => {
      const row = await takeRead("Account", sub, () => orUnavailable(() => findAccountRow(db, sub)));
      return row && toAccount(row);
    },
    loadExistingGrant: loadGrant,
    rotateRefreshToken: true,
    // A token for the RPCs ends when its user signs out, even if the application has offline access.
    expiresWithSession: (_ctx, { scopes }) => !scopes.has("offline_access") || scopes.has(API_SCOPE),
    clientBasedCORS: (_ctx, origin, client) => isOriginOf(client, origin),
    renderError,
    // Client metadata never causes outgoing requests, except in `sendLogoutTokens`.
    fetch: async (url) => {
      throw new Error(`the provider does not fetch ${url}`);
    },
    ttl: {
      AccessToken: SECONDS.accessToken,
      AuthorizationCode: SECONDS.authorizationCode,
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
  provider.Client.prototype.compareClientSecret = function compareClientSecret(secret: string) {
    return compareSecret(this.clientSecret ?? "", secret);
  };
  provider.use(writeHeld({ db, clock }));
  provider.use(keepUserCode);
  provider.use(announceForms);
  provider.use(skipAnonymousLogout);
  introspectJwts(provider);
  sendLogoutTokens(provider);
  recordSignOuts(provider, { db, clock });
  formatAccessTokens(provider, signingKeys);
  return provider;
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

/** The session's remaining time: it ends some time after its last use, or a maximum time after the sign-in. */
function sessionSeconds(
  { accountId, loginTs = 0, transient }: Pick<InstanceType<Provider["Session"]>, "accountId" | "loginTs" | "transient">,
  now: Date,
): number {
  if (accountId === undefined) return SESSION_SECONDS.anonymous;
  const lifetime = transient ? SESSION_SECONDS.transient : SESSION_SECONDS.absolute;
  const rest = loginTs + lifetime - Math.floor(now.getTime() / 1_000);
  return Math.max(1, Math.min(rest, SESSION_SECONDS.idle));
}
