import { createHash, randomBytes } from "node:crypto";
import type { Adapter, AdapterPayload, Client, ClientMetadata } from "oidc-provider";
import { findApp, type OidcApp } from "../apps/find-app.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { PublicJwk } from "../fields/key-set.ts";
import { ACCOUNT_APP, SIGNED_IN_PATH } from "../web/frame/account-app.ts";
import type { Sessions } from "../web/frame/sessions.ts";
import { toClientMetadata } from "./client-metadata.ts";
import { ROUTES } from "./routes.ts";
import { orUnavailable } from "./unavailable.ts";

interface ClientParts {
  readonly runTogether: RunTogether;
  readonly issuer: string;
  /** Finds the keys of an application with the method `private_key_jwt`. */
  readonly findKeys: (app: OidcApp) => Promise<readonly PublicJwk[]>;
}

/** Finds the provider's clients among the applications. No row is cached, so changes take effect immediately. */
export function createClientAdapter({ runTogether, issuer, findKeys }: ClientParts): Adapter {
  return {
    async find(id) {
      if (id === ACCOUNT_APP.id) return accountPageMetadata(issuer);
      const app = await orUnavailable(() => findApp(runTogether, id));
      if (app === undefined) return undefined;
      return toClientMetadata(app, app.authMethod === "private_key_jwt" ? await findKeys(app) : undefined);
    },
    findByUid: unsupported,
    findByUserCode: unsupported,
    upsert: unsupported,
    consume: unsupported,
    destroy: unsupported,
    revokeByGrantId: unsupported,
  };
}

async function unsupported(): Promise<never> {
  throw new Error("the provider does not change applications");
}

/**
 * Whether pages of an origin may call the provider on behalf of the application: the origins of its redirect URIs, and
 * its additional ones. Not `null`, which is the origin of `com.example.app:/callback`, but also that of every sandboxed
 * page.
 */
export function isOriginOf(client: Client, origin: string): boolean {
  if (origin === "null") return false;
  const additional = client.signet_additional_origins as readonly string[];
  return additional.includes(origin) || (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin);
}

/** The organization whose users may sign in to the application; null if it belongs to the instance. */
export function orgIdOf(client: Client): string | null {
  return client.signet_org_id as string | null;
}

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
function accountPageMetadata(issuer: string): AdapterPayload & ClientMetadata {
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
