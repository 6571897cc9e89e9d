import { type Client, errors, type KoaContextWithOIDC } from "oidc-provider";
import { API_SCOPE } from "../access/find-principal.ts";
import { RECENT_MS } from "../web/account/recent-sign-in.ts";
import { ORG_PARAMETER } from "./requested-org.ts";
import type { SessionDetails } from "./session-details.ts";

/** @throws InvalidScope if the scopes include the one for the RPCs, and the application has no API access. */
export function checkApiScope(client: Client, scopes: ReadonlySet<string>): void {
  if (!scopes.has(API_SCOPE) || client.signet_api_access === true) return;
  throw new errors.InvalidScope("the application has no API access", API_SCOPE);
}

/**
 * Checks the scopes of the tokens that a request to the token endpoint is about to get: the application may have lost
 * its API access since the user signed in.
 *
 * @param granted The scopes of the code or refresh token.
 * @throws InvalidScope like `checkApiScope`.
 */
export function checkTokenScope({ oidc }: KoaContextWithOIDC, granted: ReadonlySet<string> | undefined): void {
  const { route, client, params, requestParamScopes } = oidc;
  if (route !== "token" || client === undefined || granted === undefined) return;
  checkApiScope(client, params?.scope === undefined ? granted : requestParamScopes);
}

/**
 * Whether a user gives a device access to the RPCs with a sign-in that is not recent. Anyone can start the sign-in of
 * a device and send its code to the user, so an active session is not enough.
 */
export function isOldSignInOfDevice({ oidc }: KoaContextWithOIDC, now: Date): boolean {
  if (!DEVICE_ROUTES.has(oidc.route) || !oidc.requestParamScopes.has(API_SCOPE)) return false;
  // Another user has to sign in.
  if (oidc.account !== undefined && oidc.account.orgId !== oidc.params?.[ORG_PARAMETER]) return false;
  const { loginTs = 0, isTimeAssumed = false } = (oidc.session ?? {}) as { loginTs?: number } & SessionDetails;
  const signedInAt = isTimeAssumed ? 0 : loginTs * 1_000;
  return now.getTime() - signedInAt >= RECENT_MS;
}

const DEVICE_ROUTES: ReadonlySet<string> = new Set(["code_verification", "device_resume"]);
