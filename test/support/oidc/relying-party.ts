import { createHash, randomBytes } from "node:crypto";
import type { Insertable } from "kysely";
import * as client from "openid-client";
import { createId, hashSecret } from "../../../src/crypto/secrets.ts";
import { EMPTY_APP_CONFIG, toConfigColumns } from "../../../src/database/app-config.ts";
import type { Tables } from "../../../src/database/tables.ts";
import { findSignInUser } from "../../../src/sign-in/find-sign-in-user.ts";
import { type Browser, type BrowserResponse, createBrowser } from "../browsers/browser.ts";
import type { TestService } from "../servers/service.ts";

/** A test application with a third-party client. */
export interface RelyingParty {
  readonly id: string;
  /** Undefined for a public client. */
  readonly secret: string | undefined;
  readonly redirectUri: string;
  readonly configuration: client.Configuration;
}

type AppsTable = Insertable<Tables["apps"]>;

export const REDIRECT_URI = "https://app.example.com/callback";

/** Registers an application, by default of the organization `default` and with a secret, and discovers the provider. */
export async function createRelyingParty(
  service: TestService,
  changes: Partial<AppsTable> = {},
  authentication?: (secret: string) => client.ClientAuth,
): Promise<RelyingParty> {
  const id = createId();
  const isPublic = changes.auth_method === "none";
  const secret = isPublic ? undefined : service.secret(randomBytes(32).toString("base64url"));
  const redirectUri = changes.redirect_uris?.[0] ?? REDIRECT_URI;
  await service.db
    .insertInto("apps")
    .values({
      owner_id: service.orgId,
      id,
      sequence: 1n,
      created_at: new Date(),
      changed_at: new Date(),
      name: `App ${id.slice(-4)}`,
      state: "active",
      ...toConfigColumns({ ...EMPTY_APP_CONFIG, requiresPkce: true }),
      secret_hash: secret === undefined ? null : hashSecret(secret),
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: [redirectUri],
      post_logout_redirect_uris: ["https://app.example.com/signed-out"],
      ...changes,
    })
    .execute();
  return connectRelyingParty(service, { id, secret, redirectUri }, authentication);
}

/** Discovers the provider for a registered application. `metadata` is what the client expects of the provider. */
export async function connectRelyingParty(
  service: TestService,
  {
    id,
    secret,
    redirectUri,
    metadata,
  }: Omit<RelyingParty, "configuration"> & { readonly metadata?: Partial<client.ClientMetadata> },
  authentication: (secret: string) => client.ClientAuth = client.ClientSecretBasic,
): Promise<RelyingParty> {
  const authenticate = secret === undefined ? client.None() : authentication(secret);
  const { publicUrl } = service.config;
  const configuration = await client.discovery(new URL(publicUrl), id, metadata, authenticate, {
    // In seconds. A busy machine can be slow.
    timeout: 120,
    // The service listens on another port than the one of PUBLIC_URL.
    [client.customFetch]: (url, options) => fetch(url.replace(publicUrl, service.origin), options as RequestInit),
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  });
  return { id, secret, redirectUri, configuration };
}

/** An authorization request, and the state that its client keeps. */
export interface Request {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

export function createRequest(
  { configuration, redirectUri }: RelyingParty,
  parameters: Record<string, string> = {},
): Request {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: "openid",
    code_challenge: createHash("sha256").update(pkceCodeVerifier).digest("base64url"),
    code_challenge_method: "S256",
    state: expectedState,
    nonce: expectedNonce,
    ...parameters,
  });
  const maxAge = parameters.max_age === undefined ? {} : { maxAge: Number(parameters.max_age) };
  return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, ...maxAge } };
}

export function newBrowser(service: TestService): Browser {
  return createBrowser(service.origin, service.config.publicUrl, service.clock);
}

/**
 * Opens an authorization request, signs the user in if the provider requires it, and returns the application's
 * callback.
 */
export async function signIn(
  service: TestService,
  browser: Browser,
  url: URL | string,
  userId: string,
  { remember = false } = {},
): Promise<URL> {
  let response = await browser.open(String(url));
  if (response.location.includes("/ui/sign-in/")) {
    response = await completeSignIn(service, browser, response, userId, remember);
  }
  if (response.location === "") throw new Error(`the browser was not redirected: ${response.status} ${response.text}`);
  return new URL(response.location, service.config.publicUrl);
}

/** Acts like the sign-in page once the person has authenticated. */
export async function completeSignIn(
  service: TestService,
  browser: Browser,
  { location }: Pick<BrowserResponse, "location">,
  userId: string,
  remember = false,
): Promise<BrowserResponse> {
  const request = await findRequest(service, browser, location);
  if (request === undefined) throw new Error("there is no such sign-in");
  const { sequence = 0n, passwordHash = null } = (await findSignInUser(service, userId)) ?? {};
  const signedIn = { userId, sequence, passwordHash, initialized: true, methods: ["pwd"], remember };
  const returnTo = await service.interactions.finish(request, signedIn);
  return browser.open(returnTo);
}

/** The sign-in that a provider redirect leads to. */
export function findRequest(service: TestService, browser: Browser, location: string) {
  const { pathname } = new URL(location, service.config.publicUrl);
  const id = pathname.split("/").at(-1) ?? "";
  return service.interactions.find(id, browser.cookies(pathname));
}

/** Redeems the code of a callback. The tokens must not be found in a table or the log. */
export async function redeem(
  service: TestService,
  { configuration }: RelyingParty,
  callback: URL,
  { checks }: Request,
) {
  const code = callback.searchParams.get("code");
  if (code !== null) service.secret(code);
  const tokens = await client.authorizationCodeGrant(configuration, callback, { ...checks, idTokenExpected: true });
  keepSecret(service, tokens);
  return tokens;
}

export function keepSecret(service: TestService, tokens: client.TokenEndpointResponse): void {
  service.secret(tokens.access_token);
  if (tokens.refresh_token !== undefined) service.secret(tokens.refresh_token);
}

/** The whole flow: request, sign-in, tokens. */
export async function signInAndRedeem(
  service: TestService,
  browser: Browser,
  app: RelyingParty,
  userId: string,
  parameters: Record<string, string> = {},
) {
  const request = createRequest(app, parameters);
  return redeem(service, app, await signIn(service, browser, request.url, userId), request);
}

/**
 * Turns a machine user into a human one, and signs it in to an application of the instance. Returns an access token for
 * the RPCs.
 *
 * @param app An application of the instance with API access.
 */
export async function createAccessToken(service: TestService, app: RelyingParty, userId: string): Promise<string> {
  const names = { first_name: "Ada", last_name: "Lovelace", display_name: "Ada Lovelace", gender: 0 };
  const { org_id } = await service.db
    .updateTable("users")
    .set({ kind: "human", ...names, email: "ada@example.com" })
    .where("id", "=", userId)
    .returning("org_id")
    .executeTakeFirstOrThrow();
  const scope = `openid urn:signet:api urn:signet:org:id:${org_id}`;
  return (await signInAndRedeem(service, newBrowser(service), app, userId, { scope })).access_token;
}
