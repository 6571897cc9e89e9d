import { type Client, errors, type KoaContextWithOIDC, type Provider, type UnknownObject } from "oidc-provider";
import { checkApiScope } from "./api-access.ts";

/** The machine user of an application of the type `service`; null for others, and while the user is not active. */
export function serviceUserIdOf(client: Client | undefined): string | null {
  return (client?.signet_service_user_id ?? null) as string | null;
}

/**
 * The claims that oidc-provider stores and introspects with a token of the grant type `client_credentials` (RFC 6749,
 * section 4.4): `sub` is the machine user. Other tokens get none.
 *
 * @throws UnauthorizedClient while the machine user is not active.
 * @throws InvalidScope if the scopes include the one for the RPCs, and the application has no API access.
 */
export async function toServiceClaims(
  _ctx: KoaContextWithOIDC,
  token: InstanceType<Provider["AccessToken"]> | InstanceType<Provider["ClientCredentials"]>,
): Promise<UnknownObject | undefined> {
  const { kind, client, scopes } = token;
  if (kind !== "ClientCredentials" || client === undefined) return undefined;
  const userId = serviceUserIdOf(client);
  if (userId === null) throw noServiceUser();
  checkApiScope(client, scopes);
  return { sub: userId };
}

/** The error for an application whose machine user was removed or is not active. */
export function noServiceUser(): Error {
  return new errors.UnauthorizedClient("the machine user of the application is not active");
}

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Provider middleware. Names the grant type of token exchange (RFC 8693) in the error that rejects it. */
export async function refuseTokenExchange(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route !== "token" || ctx.oidc.params?.grant_type !== TOKEN_EXCHANGE) return;
  const { error } = (ctx.body ?? {}) as { error?: unknown };
  if (error !== "unsupported_grant_type") return;
  ctx.body = { error, error_description: "token exchange (RFC 8693) is not supported" };
}
