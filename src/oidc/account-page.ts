import { createHash, randomBytes } from "node:crypto";
import type { AdapterPayload, ClientMetadata } from "oidc-provider";
import { ACCOUNT_APP, SIGNED_IN_PATH } from "../web/frame/account-app.ts";
import type { Sessions } from "../web/frame/sessions.ts";
import { ROUTES } from "./routes.ts";

/** No one knows the verifier. */
const CODE_CHALLENGE = createHash("sha256").update(randomBytes(32)).digest("base64url");

/**
 * Replaces the SHA-256 of a secret (see `compareSecret`): anybody can send a request with their own challenge, but the
 * token endpoint requires a secret that does not exist.
 */
const SECRET_HASH = randomBytes(32).toString("base64url");

/**
 * The account page is a client, but not an application: its codes cannot be redeemed, and only the session counts.
 */
export function accountPageMetadata(issuer: string): AdapterPayload & ClientMetadata {
  return {
    client_id: ACCOUNT_APP.id,
    client_name: ACCOUNT_APP.name,
    application_type: "web",
    token_endpoint_auth_method: "client_secret_post",
    client_secret: SECRET_HASH,
    grant_types: ["authorization_code"],
    response_types: ["code"],
    redirect_uris: [issuer + SIGNED_IN_PATH],
    post_logout_redirect_uris: [],
    signet_org_id: null,
    signet_additional_origins: [],
    signet_access_token_type: "opaque",
    signet_api_access: false,
    signet_service_user_id: null,
  };
}

/** The URL of a sign-in to the account page; see `Sessions.signInUrl`. */
export function accountSignInUrl(
  issuer: string,
  { orgId, reauthenticate = false, allowsOther = false }: Parameters<Sessions["signInUrl"]>[0],
): string {
  const url = new URL(ROUTES.authorization, issuer);
  url.search = new URLSearchParams({
    client_id: ACCOUNT_APP.id,
    redirect_uri: issuer + SIGNED_IN_PATH,
    response_type: "code",
    scope: orgId === undefined ? "openid" : `openid urn:signet:org:id:${orgId}`,
    code_challenge: CODE_CHALLENGE,
    code_challenge_method: "S256",
    ...(reauthenticate && { prompt: "login" }),
    ...(allowsOther && { prompt: "select_account" }),
  }).toString();
  return url.href;
}
