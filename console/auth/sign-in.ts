import * as oauth from "oauth4webapi";
import type { Settings } from "../settings.ts";

/** What a sign-in results in. It is kept in memory only: a reload signs in again, silently while the session lasts. */
export interface SignedIn {
  readonly accessToken: string;
  /** Names the session to end when the person signs out. */
  readonly idToken: string;
  /** The page that the person wanted to see. */
  readonly returnTo: string;
}

export const PATHS = { home: "/console", signedIn: "/console/signed-in", signedOut: "/console/signed-out" } as const;

/** `urn:signet:api` lets the access token call the API with the roles of the person. */
const SCOPE = "openid urn:signet:api";

/**
 * Leaves the page to sign in with an authorization code and PKCE (RFC 7636). A person with a session is not asked
 * anything, and comes back at once.
 */
export async function startSignIn({ issuer, clientId }: Settings, returnTo: string): Promise<never> {
  const request = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    returnTo,
  };
  sessionStorage.setItem(KEY, JSON.stringify(request));
  const url = new URL(toServer(issuer).authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: issuer + PATHS.signedIn,
    response_type: "code",
    scope: SCOPE,
    state: request.state,
    nonce: request.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: "S256",
  }).toString();
  location.replace(url);
  return await new Promise<never>(() => {});
}

/**
 * Completes the sign-in after the redirect from the service.
 *
 * @returns Undefined if this tab has not started the sign-in.
 * @throws Error with the description of the service if the person canceled, or the response is not valid.
 */
export async function finishSignIn({ issuer, clientId }: Settings, url: URL): Promise<SignedIn | undefined> {
  const request = readRequest();
  if (request === undefined || url.searchParams.get("state") !== request.state) return undefined;
  // A request is used once.
  sessionStorage.removeItem(KEY);
  const server = toServer(issuer);
  const client = { client_id: clientId };
  // Without TLS, which browsers allow on this machine only.
  const options = issuer.startsWith("http:") ? { [oauth.allowInsecureRequests]: true } : {};
  const parameters = oauth.validateAuthResponse(server, client, url, request.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    issuer + PATHS.signedIn,
    request.verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: request.nonce,
    requireIdToken: true,
  });
  return { accessToken: tokens.access_token, idToken: tokens.id_token ?? "", returnTo: request.returnTo };
}

/** Describes why a sign-in failed. */
export function describeSignInError(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return error.error_description ?? error.error;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Leaves the page to end the session, also at the applications that the person has signed in to. */
export function signOut({ issuer, clientId }: Settings, idToken: string): void {
  const url = new URL(`${issuer}/oidc/v1/end_session`);
  url.search = new URLSearchParams({
    client_id: clientId,
    id_token_hint: idToken,
    post_logout_redirect_uri: issuer + PATHS.signedOut,
  }).toString();
  location.assign(url);
}

/** The service and the console are released together, so there is no need to discover the endpoints. */
function toServer(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/v2/authorize`,
    token_endpoint: `${issuer}/oauth/v2/token`,
    authorization_response_iss_parameter_supported: true,
  };
}

/** What must be known when the browser comes back from the sign-in. */
interface SignInRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
}

/** Of this tab only. */
const KEY = "signet-sign-in";

function readRequest(): SignInRequest | undefined {
  const text = sessionStorage.getItem(KEY);
  return text === null ? undefined : JSON.parse(text);
}
