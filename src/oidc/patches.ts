import { createHash } from "node:crypto";
import { decodeProtectedHeader } from "jose";
import type { Client, KoaContextWithOIDC, Provider } from "oidc-provider";
import type { Brandings } from "../branding/create-brandings.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import type { Database } from "../database/database.ts";
import type { RunTogether } from "../database/run-together.ts";
import { type AccessToken, createAccessTokenFormat, type GenerateTokenId } from "./access-token-format.ts";
import { announceProofs, type CompareClientSecret, createSecretComparison } from "./announce-proofs.ts";
import { createLogoutSender, type SendLogoutToken } from "./back-channel-logout.ts";
import { createSessionEnd, type DestroySession, federateLogout } from "./end-session.ts";
import { respondToIntrospection } from "./introspection.ts";
import { keepUserCode } from "./pages/device-pages.ts";
import { skipAnonymousLogout } from "./pages/logout-pages.ts";
import { layOutPages } from "./pages/send-page.ts";
import { slowDownPolls } from "./polls.ts";
import { presentSubject, type SelectClaims } from "./present-subjects.ts";
import { announceForms } from "./provider-events.ts";
import { chainRefreshTokens, type NextToken } from "./refresh-tokens.ts";
import { revokeJwts } from "./revocation.ts";
import { refuseTokenExchange } from "./service-tokens.ts";
import { SESSION_DETAILS } from "./session-details.ts";
import { SIGNING_ALGORITHMS, type SigningKey } from "./signing-keys.ts";
import { respondToUserinfo } from "./userinfo.ts";

export interface PatchOptions {
  readonly db: Database;
  readonly runTogether: RunTogether;
  readonly brandings: Brandings;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** PUBLIC_URL. */
  readonly issuer: string;
  readonly signingKeys: readonly SigningKey[];
  /** IDP_ALLOW_PRIVATE_NETWORKS. */
  readonly allowsPrivate: boolean;
  /** CLIENT_METADATA_HOSTS. */
  readonly clientHosts: readonly string[];
  readonly nextToken: NextToken;
}

/** The parts of oidc-provider that ours replace. Its types declare none of them as replaceable. */
interface Models {
  readonly Client: Model<{ compareClientSecret: CompareClientSecret; backchannelLogout: SendLogoutToken }>;
  readonly Session: Model<{ destroy: DestroySession }> & { readonly IN_PAYLOAD: readonly string[] };
  readonly AccessToken: Model<{ generateTokenId: GenerateTokenId<AccessToken> }>;
  readonly ClientCredentials: Model<{ generateTokenId: GenerateTokenId<AccessToken> }>;
  readonly RefreshToken: Model<{ generateTokenId: Parameters<typeof chainRefreshTokens>[0] }>;
  readonly IdToken: Model<{ payload: FillIdToken }> & { validate: ValidateIdToken };
  readonly Claims: Model<{ result: SelectClaims }>;
}

interface Model<Methods> {
  readonly prototype: Methods;
}

/**
 * Changes what oidc-provider has no option for: all of its methods that are replaced, and all middleware around it, each
 * with the reason. A test fails when a new version changes one of the methods (`test/oidc/patches.test.ts`): read it, and
 * the reason here, again.
 */
export function patchProvider(provider: Provider, options: PatchOptions): void {
  replaceMethods(provider, options);
  addMiddleware(provider, options);
}

function replaceMethods(provider: Provider, options: PatchOptions): void {
  const { issuer, signingKeys, nextToken } = options;
  const { Client, Session, AccessToken, ClientCredentials, RefreshToken, IdToken, Claims } =
    provider as unknown as Models;
  // Signet stores the hash of a secret. oidc-provider also accepts it in the wrong place, and has no event for a correct
  // one.
  Client.prototype.compareClientSecret = createSecretComparison(provider);
  // oidc-provider uses `fetch`, which can check an address only after connecting to it.
  Client.prototype.backchannelLogout = createLogoutSender(provider, options);
  // The event `session.destroyed` is not awaited, and the adapter cannot tell a session that ends from one that gets a
  // new id.
  Session.prototype.destroy = createSessionEnd(options);
  // oidc-provider stores only the properties in this list.
  const inPayload = [...Session.IN_PAYLOAD, ...SESSION_DETAILS];
  Object.defineProperty(Session, "IN_PAYLOAD", { get: () => inPayload });
  // oidc-provider does not store JSON Web Tokens, and its userinfo endpoint rejects them.
  const format = createAccessTokenFormat(issuer, signingKeys);
  AccessToken.prototype.generateTokenId = format(AccessToken.prototype.generateTokenId);
  ClientCredentials.prototype.generateTokenId = format(ClientCredentials.prototype.generateTokenId);
  // A repeated request gets the same new token.
  RefreshToken.prototype.generateTokenId = chainRefreshTokens(RefreshToken.prototype.generateTokenId, nextToken);
  // oidc-provider has one setting for the claims of ID tokens, for all clients.
  IdToken.prototype.payload = fillWithGranted(IdToken.prototype.payload);
  // oidc-provider accepts only the algorithm that the application has now, so a change of it would invalidate the ID
  // tokens of all live sessions.
  IdToken.validate = acceptEarlierHints(IdToken.validate.bind(IdToken));
  // oidc-provider replaces the `sub` of an account's claims with its id.
  Claims.prototype.result = presentSubject(Claims.prototype.result);
}

/** The later ones are closer to oidc-provider, and see its response first. */
function addMiddleware(provider: Provider, options: PatchOptions): void {
  // Koa removes the headers from the response to a failure.
  provider.use(keepRequestId);
  // The hooks for pages do not know the branding.
  provider.use(layOutPages(options.brandings));
  // oidc-provider does not limit polls.
  provider.use(slowDownPolls(options.clock));
  // The error of oidc-provider does not say which grant type it rejects.
  provider.use(refuseTokenExchange);
  // Keycloak takes the session from this parameter.
  provider.use(addSessionState);
  // The page of `form_post` has no hook.
  provider.use(protectFormPost);
  // oidc-provider would submit the code of a link by script.
  provider.use(keepUserCode);
  // oidc-provider has no event for a session that it starts for a form.
  provider.use(announceForms);
  // oidc-provider would sign out by script where nobody is signed in.
  provider.use(skipAnonymousLogout);
  // oidc-provider does not sign out at identity providers.
  provider.use(federateLogout(options));
  // oidc-provider has no event for an accepted assertion, nor for userinfo.
  provider.use(announceProofs);
  // Userinfo and introspection take one statement with ours, see `createDirectResponses`.
  provider.use(respondToUserinfo);
  provider.use(respondToIntrospection(options));
  // oidc-provider does not revoke JSON Web Tokens.
  provider.use(revokeJwts);
}

/** An ID token that is being issued. Logout tokens are of the same class, and have no scope. */
interface IdToken {
  readonly ctx?: KoaContextWithOIDC | undefined;
  scope?: string;
}

type FillIdToken = (this: IdToken) => Promise<Record<string, unknown>>;

/** Puts the claims of all granted scopes in the ID tokens of the applications that want it, like userinfo. */
function fillWithGranted(fill: FillIdToken): FillIdToken {
  return async function filled() {
    const { client, entities } = this.ctx?.oidc ?? {};
    const granted = entities?.AccessToken?.scope;
    if (this.scope === "openid" && client?.signet_id_token_userinfo_assertion === true && granted !== undefined) {
      this.scope = granted;
    }
    return await fill.call(this);
  };
}

type ValidateIdToken = (jwt: string, client: Pick<Client, "clientId" | "idTokenSignedResponseAlg">) => Promise<unknown>;

/** Accepts ID tokens of each algorithm as `id_token_hint`. */
function acceptEarlierHints(validate: ValidateIdToken): ValidateIdToken {
  return async (jwt, { clientId, idTokenSignedResponseAlg }) => {
    const { alg } = decodeProtectedHeader(jwt);
    const signed = SIGNING_ALGORITHMS.find((name) => name === alg) ?? idTokenSignedResponseAlg;
    return await validate(jwt, { clientId, idTokenSignedResponseAlg: signed });
  };
}

/** Provider middleware. Keeps the request id in the response to a failure, whose other headers Koa removes. */
async function keepRequestId(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const id = ctx.response.get("x-request-id");
  try {
    await next();
  } catch (error) {
    if (error instanceof Error) {
      const { headers } = error as { headers?: Record<string, string> };
      Object.assign(error, { headers: { ...headers, "x-request-id": id } });
    }
    throw error;
  }
}

/**
 * Provider middleware. Adds a content security policy to the provider's own page, which posts the response to the
 * application (OAuth 2.0 Form Post Response Mode). Without `form-action`, because the application may redirect.
 */
async function protectFormPost(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (typeof ctx.body !== "string" || !ctx.response.is("html") || ctx.res.hasHeader("content-security-policy")) return;
  // The values of the form come later, and the provider escapes them.
  const [, script = ""] = /<script>(.*?)<\/script>/s.exec(ctx.body) ?? [];
  const hash = createHash("sha256").update(script).digest("base64");
  ctx.set({
    "content-security-policy": `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
  });
}

/**
 * Provider middleware. Adds `session_state` to the tokens of an application with a back-channel logout URI: the `sid` of
 * its ID tokens and logout tokens. Keycloak takes the session to end from `session_state`, and ignores the `sid` of ID
 * tokens (`OIDCIdentityProvider`, as of 26.5).
 */
async function addSessionState(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route !== "token" || ctx.status !== 200) return;
  const { sid } = (ctx.oidc.entities.AccessToken ?? {}) as { sid?: string };
  if (sid !== undefined) Object.assign(ctx.body as object, { session_state: sid });
}
