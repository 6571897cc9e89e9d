import { decodeJwt } from "jose/jwt/decode";
import type { Client, Provider } from "oidc-provider";
import type { Database } from "../database/database.ts";
import { orgIdOf } from "./clients.ts";
import { mayIntrospectAudience } from "./resources.ts";

interface IntrospectionParts {
  readonly provider: Provider;
  readonly db: Database;
}

interface Token {
  readonly clientId?: string | undefined;
  /** The API that the token is for. Its audience is otherwise the application. */
  readonly aud?: string | readonly string[] | undefined;
}

/**
 * An application may introspect its own tokens. With a secret or a key, it may also introspect the tokens of its organization's
 * other applications: those for an API that lists it, and those for none. The tokens of an application that is deactivated
 * or removed are not active, although some may be left (`deleteTokens`), and although their API still exists.
 */
export async function mayIntrospect(
  { provider, db }: IntrospectionParts,
  client: Client,
  token: Token,
): Promise<boolean> {
  if (token.clientId === client.clientId) return true;
  if (client.clientAuthMethod === "none" || token.clientId === undefined) return false;
  const other = await provider.Client.find(token.clientId);
  if (other === undefined || orgIdOf(other) !== orgIdOf(client)) return false;
  return token.aud === undefined || (await mayIntrospectAudience(db, client, String(token.aud)));
}

/** An application may revoke its own tokens. */
export function mayRevoke(client: Client, token: Token): boolean {
  return token.clientId === client.clientId;
}

/**
 * Introspects and revokes JSON Web Tokens (RFC 7662, RFC 7009) like other access tokens.
 *
 * oidc-provider authenticates the application and then rejects such tokens, because it does not store them. Signet
 * does, so this replaces the rejection with a response. An unknown token, or one of another organization, gets the same
 * response as an expired one.
 */
export function introspectJwts({ provider, db }: IntrospectionParts): void {
  const refused = new WeakSet<object>();
  for (const event of ["introspection.error", "revocation.error"]) {
    provider.on(event as "introspection.error", (ctx, { message }) => {
      if (message === "unsupported_token_type") refused.add(ctx);
    });
  }
  provider.use(async (ctx, next) => {
    await next();
    if (!refused.has(ctx)) return;
    const { client, params, route } = ctx.oidc;
    const jwt = String(params?.token);
    const token = (await provider.AccessToken.find(jwt)) ?? (await provider.ClientCredentials.find(jwt));
    ctx.status = 200;
    if (client === undefined) throw new Error("the provider has no client");
    if (route === "introspection") {
      const isLive =
        token?.isValid &&
        (token.kind === "ClientCredentials" || (await provider.Grant.find(token.grantId)) !== undefined);
      const isShown = isLive && (await mayIntrospect({ provider, db }, client, token));
      // The row is found by the hash of the whole token, so the claims are the signed ones.
      ctx.body = isShown ? { active: true, ...decodeJwt(jwt), token_type: token.tokenType } : { active: false };
    } else {
      if (token !== undefined && mayRevoke(client, token)) await revoke(provider, token);
      ctx.body = "";
    }
  });
}

type FoundToken = InstanceType<Provider["AccessToken"]> | InstanceType<Provider["ClientCredentials"]>;

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
