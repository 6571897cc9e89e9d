import { type Client, errors, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { compareSecret } from "./client-metadata.ts";

export type CompareClientSecret = (this: Client, secret: string) => boolean;

/**
 * Compares a secret with the stored hash, and accepts it only where the application's method says. Makes the provider
 * emit `client.authenticated` when it fits.
 */
export function createSecretComparison(provider: Provider): CompareClientSecret {
  return function compareClientSecret(secret) {
    if (!compareSecret(Buffer.from(this.clientSecret ?? "", "base64url"), secret)) return false;
    throwIfMisplaced(this);
    provider.emit("client.authenticated", Provider.ctx);
    return true;
  };
}

/**
 * Provider middleware. Makes the provider emit `client.authenticated` when the assertion of an application was accepted,
 * and `userinfo.success` when the access token is valid.
 */
export async function announceProofs(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  // A pushed authorization request is answered with 201.
  if (ctx.status !== 200 && ctx.status !== 201) return;
  const { route, client, provider } = ctx.oidc ?? {};
  if (route === "userinfo") provider?.emit("userinfo.success", ctx);
  if (AUTHENTICATING_ROUTES.has(route) && client?.clientAuthMethod === "private_key_jwt") {
    provider?.emit("client.authenticated", ctx);
  }
}

/** The routes that authenticate the application before anything else. */
const AUTHENTICATING_ROUTES: ReadonlySet<string | undefined> = new Set([
  "token",
  "introspection",
  "revocation",
  "device_authorization",
  "pushed_authorization_request",
]);

/**
 * oidc-provider accepts a secret in the header and in the body from each application that has one. Only an application
 * that knows its secret gets the explanation.
 */
function throwIfMisplaced({ clientAuthMethod }: Client): void {
  const isInHeader = Provider.ctx?.headers.authorization !== undefined;
  if (isInHeader === (clientAuthMethod === "client_secret_basic")) return;
  const error_description = `the application must authenticate with ${clientAuthMethod}`;
  throw Object.assign(new errors.InvalidClientAuth("the secret is in the wrong place"), { error_description });
}
