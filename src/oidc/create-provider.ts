import type { Kysely } from "kysely";
import { type Client, type Configuration, interactionPolicy, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { findApp } from "../apps/find-app.ts";
import type { Clock } from "../clock.ts";
import type { Tables } from "../database/tables.ts";
import { CLAIMS, findAccountRow, toAccount } from "./accounts.ts";
import { createArtifacts } from "./artifacts.ts";
import { APP_METADATA, compareSecret, toClientMetadata } from "./client-metadata.ts";
import type { SigningKey } from "./signing-keys.ts";

export interface ProviderOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  /** PUBLIC_URL. */
  readonly issuer: string;
  /** Sign cookies; the first one signs, all verify. */
  readonly cookieKeys: readonly string[];
  readonly signingKeys: readonly SigningKey[];
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** How long what the provider issues is valid, in seconds. */
const SECONDS = {
  AccessToken: HOUR,
  AuthorizationCode: 60,
  DeviceCode: 10 * 60,
  Grant: 30 * DAY,
  IdToken: HOUR,
  Interaction: HOUR,
  RefreshToken: 30 * DAY,
  Session: 14 * DAY,
} as const;

/** The OpenID provider: oidc-provider, configured for the applications and users of the database. */
export function createProvider({ db, clock, issuer, cookieKeys, signingKeys }: ProviderOptions): Provider {
  const isSecure = issuer.startsWith("https:");
  const provider = new Provider(issuer, {
    adapter: (kind) => (kind === "Client" ? createClients(db) : createArtifacts({ db, clock }, kind)),
    jwks: { keys: [...signingKeys] as NonNullable<Configuration["jwks"]>["keys"] },
    routes: {
      authorization: "/oauth/v2/authorize",
      token: "/oauth/v2/token",
      introspection: "/oauth/v2/introspect",
      revocation: "/oauth/v2/revoke",
      jwks: "/oauth/v2/keys",
      device_authorization: "/oauth/v2/device_authorization",
      code_verification: "/oauth/v2/device",
      userinfo: "/oidc/v1/userinfo",
      end_session: "/oidc/v1/end_session",
    },
    scopes: ["openid", "profile", "email", "phone", "offline_access", API_SCOPE],
    claims: CLAIMS,
    extraClientMetadata: { properties: [...APP_METADATA] },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      claimsParameter: { enabled: true },
      deviceFlow: { enabled: true },
      introspection: { enabled: true },
      pushedAuthorizationRequests: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      dPoP: { enabled: false },
    },
    interactions: { url: (_ctx, interaction) => `${SIGN_IN_PATH}${interaction.uid}`, policy: createPolicy(db) },
    findAccount: async (_ctx, sub) => {
      const row = await findAccountRow(db, sub);
      return row && toAccount(row);
    },
    loadExistingGrant,
    rotateRefreshToken: true,
    clientBasedCORS: (_ctx, origin, client) => isOriginOf(client, origin),
    ttl: { ...SECONDS },
    cookies: {
      keys: [...cookieKeys],
      // `__Host-` demands the path `/`, which the cookies of an interaction cannot have: several may run at once.
      names: {
        session: isSecure ? "__Host-signet-session" : "signet-session",
        interaction: isSecure ? "__Secure-signet-interaction" : "signet-interaction",
        resume: isSecure ? "__Secure-signet-resume" : "signet-resume",
      },
      long: { httpOnly: true, sameSite: "lax", signed: true, secure: isSecure, path: "/" },
      short: { httpOnly: true, sameSite: "lax", signed: true, secure: isSecure },
    },
  });
  // Where a request came from is decided by us, before the provider sees it.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = function compareClientSecret(secret: string) {
    return compareSecret(this.clientSecret ?? "", secret);
  };
  return provider;
}

/** Lets an application call the RPCs with the roles of the person who signed in. */
export const API_SCOPE = "urn:signet:api";

/** Where the pages of a sign-in are, before its id. */
export const SIGN_IN_PATH = "/ui/sign-in/";
