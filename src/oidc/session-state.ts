import type { KoaContextWithOIDC } from "oidc-provider";

/**
 * Provider middleware. Adds `session_state` to the tokens of an application with a back-channel logout URI: the `sid` of
 * its ID tokens and logout tokens. Keycloak takes the session to end from `session_state`, and ignores the `sid` of ID
 * tokens (`OIDCIdentityProvider`, as of 26.5).
 */
export async function addSessionState(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route !== "token" || ctx.status !== 200) return;
  const { sid } = (ctx.oidc.entities.AccessToken ?? {}) as { sid?: string };
  if (sid !== undefined) Object.assign(ctx.body as object, { session_state: sid });
}
