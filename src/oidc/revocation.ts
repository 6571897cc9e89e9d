import type { Client, KoaContextWithOIDC, Provider } from "oidc-provider";

type FoundToken = InstanceType<Provider["AccessToken"]> | InstanceType<Provider["ClientCredentials"]>;

/** An application may revoke its own tokens. */
export function mayRevoke(client: Client, token: { readonly clientId?: string | undefined }): boolean {
  return token.clientId === client.clientId;
}

/** Provider middleware. Revokes JSON Web Tokens (RFC 7009) like other access tokens. */
export async function revokeJwts(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route !== "revocation" || !isRefusedJwt(ctx)) return;
  const { client, params, provider } = ctx.oidc;
  const jwt = String(params?.token);
  const token = (await provider.AccessToken.find(jwt)) ?? (await provider.ClientCredentials.find(jwt));
  if (token !== undefined && client !== undefined && mayRevoke(client, token)) await revoke(provider, token);
  ctx.status = 200;
  ctx.body = "";
}

/**
 * Deletes the tokens of a sign-in to an application, or the only token of a machine user, like the provider when another
 * token is revoked.
 */
async function revoke(provider: Provider, token: FoundToken): Promise<void> {
  if (token.kind === "ClientCredentials") return await token.destroy();
  const { grantId } = token;
  const { AccessToken, RefreshToken, AuthorizationCode, DeviceCode, Grant } = provider;
  const grant = await Grant.find(grantId);
  const models = [AccessToken, RefreshToken, AuthorizationCode, DeviceCode];
  await Promise.all([grant?.destroy(), ...models.map((model) => model.revokeByGrantId(grantId))]);
}

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
