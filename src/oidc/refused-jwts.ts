import type { KoaContextWithOIDC, Provider } from "oidc-provider";

/**
 * Marks requests to introspect or revoke a JSON Web Token. oidc-provider authenticates the application and then rejects
 * such tokens, because it does not store them. Signet does.
 */
export function markRefusedJwts(provider: Provider): void {
  for (const event of ["introspection.error", "revocation.error"]) {
    provider.on(event as "introspection.error", (ctx, { message }) => {
      if (message === "unsupported_token_type") ctx.state.isRefusedJwt = true;
    });
  }
}

export function isRefusedJwt({ state }: KoaContextWithOIDC): boolean {
  return state.isRefusedJwt === true;
}
